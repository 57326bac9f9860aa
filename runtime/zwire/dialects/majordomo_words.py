"""The words of each dialect of the Majordomo family, taken from the generated codecs."""

from __future__ import annotations

from zwire.dialects.majordomo import ClientWords, WorkerWords
from zwire_protocols.mdp01 import client as client01
from zwire_protocols.mdp01 import worker as worker01
from zwire_protocols.mdp02 import client as client02
from zwire_protocols.mdp02 import worker as worker02
from zwire_protocols.mdpx import client as clientx
from zwire_protocols.mdpx import worker as workerx

_BODY = (b"",)


def _head(frames: list[bytes], length: int) -> tuple[bytes, ...]:
    return tuple(frames[:length])


MDPX_CLIENT = ClientWords(
    part="mdpx.client",
    request=_head(clientx.encode(clientx.Request("s", b"i", _BODY)), 2),
    partial=_head(clientx.encode(clientx.Partial("s", b"i", _BODY)), 2),
    final=_head(clientx.encode(clientx.Final("s", b"i", _BODY)), 2),
    has_ids=True,
    decode=clientx.DECODERS["client"],
)
MDPX_WORKER = WorkerWords(
    part="mdpx.worker",
    head=_head(workerx.encode(workerx.Ping()), 1),
    ready=workerx.encode(workerx.Ready("s"))[1],
    request=workerx.encode(workerx.Request(b"c", b"i", _BODY))[1],
    partial=workerx.encode(workerx.Partial(b"c", b"i", _BODY))[1],
    final=workerx.encode(workerx.Final(b"c", b"i", _BODY))[1],
    worker_beat=workerx.encode(workerx.Ping())[1],
    broker_beat=workerx.encode(workerx.Pong())[1],
    disconnect=workerx.encode(workerx.Disconnect())[1],
    has_ids=True,
    decode=workerx.DECODERS["worker"],
    odd_disconnect=tuple(workerx.encode(workerx.DisconnectMdpw02())),
)
MDP01_CLIENT = ClientWords(
    part="mdp01.client",
    request=_head(client01.encode(client01.Request("s", _BODY)), 2),
    partial=(),
    final=_head(client01.encode(client01.Reply("s", _BODY)), 2),
    has_ids=False,
    decode=client01.DECODERS["client"],
)
MDP01_WORKER = WorkerWords(
    part="mdp01.worker",
    head=_head(worker01.encode(worker01.Heartbeat()), 2),
    ready=worker01.encode(worker01.Ready("s"))[2],
    request=worker01.encode(worker01.Request(b"c", _BODY))[2],
    partial=None,
    final=worker01.encode(worker01.Reply(b"c", _BODY))[2],
    worker_beat=worker01.encode(worker01.Heartbeat())[2],
    broker_beat=worker01.encode(worker01.Heartbeat())[2],
    disconnect=worker01.encode(worker01.Disconnect())[2],
    has_ids=False,
    decode=worker01.DECODERS["worker"],
)
MDP02_CLIENT = ClientWords(
    part="mdp02.client",
    request=_head(client02.encode(client02.Request("s", _BODY)), 2),
    partial=_head(client02.encode(client02.Partial("s", _BODY)), 2),
    final=_head(client02.encode(client02.Final("s", _BODY)), 2),
    has_ids=False,
    decode=client02.DECODERS["client"],
)
MDP02_WORKER = WorkerWords(
    part="mdp02.worker",
    head=_head(worker02.encode(worker02.Heartbeat()), 1),
    ready=worker02.encode(worker02.Ready("s"))[1],
    request=worker02.encode(worker02.Request(b"c", _BODY))[1],
    partial=worker02.encode(worker02.Partial(b"c", _BODY))[1],
    final=worker02.encode(worker02.Final(b"c", _BODY))[1],
    worker_beat=worker02.encode(worker02.Heartbeat())[1],
    broker_beat=worker02.encode(worker02.Heartbeat())[1],
    disconnect=worker02.encode(worker02.Disconnect())[1],
    has_ids=False,
    decode=worker02.DECODERS["worker"],
)

# The PyPI package majortomo calls its dialect MDP 0.2 and deviates: an empty frame goes in front of
# everything, its clients use the workers' command octets, and replies do not repeat the service.
# Recorded under a name of its own, for no codec of MDP 0.2 can read it.
_HEADER = MDP02_CLIENT.request[0]
MAJORTOMO_CLIENT = ClientWords(
    part="majortomo.client",
    request=(b"", _HEADER, MDP02_WORKER.request),
    partial=(b"", _HEADER, MDP02_WORKER.partial or b""),
    final=(b"", _HEADER, MDP02_WORKER.final),
    has_ids=False,
    decode=lambda frames: client02.DECODERS["client"](
        [*frames[1:2], MDP02_CLIENT.request[1], *frames[3:]]
    ),
    names_service=False,
)
MAJORTOMO_WORKER = WorkerWords(
    part="majortomo.worker",
    head=(b"", *MDP02_WORKER.head),
    ready=MDP02_WORKER.ready,
    request=MDP02_WORKER.request,
    partial=MDP02_WORKER.partial,
    final=MDP02_WORKER.final,
    worker_beat=MDP02_WORKER.worker_beat,
    broker_beat=MDP02_WORKER.broker_beat,
    disconnect=MDP02_WORKER.disconnect,
    has_ids=False,
    decode=lambda frames: worker02.DECODERS["worker"](frames[1:]),
)
