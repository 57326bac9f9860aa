"""Stories of the broker's engine among its sockets, where some of the peers are not there."""

from __future__ import annotations

import pytest
import zmq

from support.ports import ANY_PORT
from support.raw import eventually
from support.running import Scene
from support.wire import Mdpx
from zwire.core.broker import Broker as Engine
from zwire.core.effects import Tell, What
from zwire.dialects.opening import open_mdpx
from zwire.io.options import Options
from zwire.io.speech import FRAMES
from zwire.io.switch import Raw, Switch

pytestmark = pytest.mark.process


def test_a_request_passes_by_all_workers_that_died_idle(scene: Scene) -> None:
    told: list[Tell] = []
    engine = Engine()
    switch = Switch(engine, told.append)
    front, back = open_mdpx(engine, "mdpx", 60.0, 4.0)
    links: list[Raw] = [Raw(zmq.ROUTER, FRAMES, Options(), scene.context) for _ in range(2)]
    for link, ear in zip(links, (front, back), strict=True):
        scene.own(link)
        switch.add(link, ear, "here")
    for number in range(6):
        # Nobody of this name is connected.
        switch.carry_out(back.hear([b"dead %d" % number, *Mdpx.ready()], 0.0), 0.0)
    alive = scene.peer(links[1].bind(ANY_PORT), b"alive")
    alive.send(*Mdpx.ready())

    def joined() -> bool:
        switch.drain(links[1], 0.0)
        return [one.what for one in told].count(What.WORKER_JOINED) == 7

    eventually(joined, f"all workers are there: {told}")
    switch.carry_out(front.hear([b"C", *Mdpx.ask(b"1", b"?")], 1.0), 1.0)
    assert alive.receive() == Mdpx.task(b"C", b"1", b"?")
    assert [one.what for one in told].count(What.WORKER_LOST) == 6
    assert What.FAILED not in {one.what for one in told}
