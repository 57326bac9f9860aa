"""28/REQREP: the four sockets play together, as the document means them to."""

from __future__ import annotations

import pytest

from support.ports import ANY_PORT
from support.stage import Stage

pytestmark = pytest.mark.process


@pytest.mark.clause("REQREP-GEN-01")
def test_a_request_goes_through_router_and_dealer_to_a_rep_and_its_reply_comes_back(
    stage: Stage,
) -> None:
    reqs = [stage.req(), stage.req()]
    router, dealer = stage.router(), stage.dealer()
    reps = [stage.rep(), stage.rep()]
    front = router.bind(ANY_PORT)
    back = dealer.bind(ANY_PORT)
    watch = dealer.watch()
    for req in reqs:
        req.connect(front)
    for rep in reps:
        rep.connect(back)
    watch.connected(2)
    for number, req in enumerate(reqs):
        req.send([b"question %d" % number])
        identity, frames = router.receive()
        assert frames == [b"", b"question %d" % number]
        dealer.send([identity, *frames])
    for rep in reps:
        rep.send([b"re", *rep.receive()])
    for _ in reps:
        identity, *frames = dealer.receive()
        router.send(identity, frames)
    for number, req in enumerate(reqs):
        assert req.receive() == [b"re", b"question %d" % number]
