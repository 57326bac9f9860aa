"""Spark SQL that decodes the messages of all parts.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

from .emqp import client as emqp_client
from .emqp import worker as emqp_worker
from .mdp01 import client as mdp01_client
from .mdp01 import worker as mdp01_worker
from .mdp02 import client as mdp02_client
from .mdp02 import worker as mdp02_worker
from .mdpx import client as mdpx_client
from .mdpx import worker as mdpx_worker
from .part import Part
from .ppp import messages as ppp_messages
from .reqrep import rep as reqrep_rep
from .reqrep import req as reqrep_req
from .zgossip import messages as zgossip_messages
from .zre import beacon as zre_beacon
from .zre import messages as zre_messages
from .zre36 import beacon as zre36_beacon
from .zre36 import beacon3 as zre36_beacon3
from .zre36 import messages as zre36_messages
from .zrelog import messages as zrelog_messages

__all__ = ["PARTS", "Part"]

PARTS: dict[str, Part] = {
    "emqp.client": emqp_client.PART,
    "emqp.worker": emqp_worker.PART,
    "mdp01.client": mdp01_client.PART,
    "mdp01.worker": mdp01_worker.PART,
    "mdp02.client": mdp02_client.PART,
    "mdp02.worker": mdp02_worker.PART,
    "mdpx.client": mdpx_client.PART,
    "mdpx.worker": mdpx_worker.PART,
    "ppp.messages": ppp_messages.PART,
    "reqrep.req": reqrep_req.PART,
    "reqrep.rep": reqrep_rep.PART,
    "zgossip.messages": zgossip_messages.PART,
    "zre.messages": zre_messages.PART,
    "zre.beacon": zre_beacon.PART,
    "zre36.messages": zre36_messages.PART,
    "zre36.beacon": zre36_beacon.PART,
    "zre36.beacon3": zre36_beacon3.PART,
    "zrelog.messages": zrelog_messages.PART,
}
"""How each part is decoded, by its name: `mdpx.client`."""
