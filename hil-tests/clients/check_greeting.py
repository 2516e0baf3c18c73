"""Every device beats once a second and says what it is to a stack of other authors."""

from __future__ import annotations

from typing import Any

from checks import Failed, WAIT, parser, require, run
from croupier_client import Table
import uavcan.node  # after pycyphal, which has it compiled


async def greet(table: Table, arguments: Any) -> dict[str, Any]:
    """Each device named as NAME=NODE."""
    return {device: await greet_one(table, *device.split("=")) for device in arguments.device}


async def greet_one(table: Table, name: str, number: str) -> dict[str, Any]:
    """One device: two heartbeats, then its information (CM-02)."""
    node = int(number)
    heartbeats = table.node.make_subscriber(uavcan.node.Heartbeat_1_0)
    beats = []
    while len(beats) < 2:
        received = await heartbeats.receive_for(WAIT)
        if received is None:
            raise Failed(f"no heartbeat of {name} within {WAIT} s")
        if received[1].source_node_id == node:
            beats.append(received)
    heartbeats.close()
    (first, _), (second, _) = beats
    # By the device's own clock: in a simulation it may run slower than this machine's. Whole
    # seconds, so a second apart may read as none or two.
    apart = int(second.uptime) - int(first.uptime)
    require(0 <= apart <= 2, f"heartbeats of {name} are {apart} s apart")

    info = await table.info(node)
    said = bytes(info.name).decode()
    require(said == f"croupier.{name}", f"node {node} is {said} and not croupier.{name}")
    require(info.protocol_version.major == 1, f"{said} speaks Cyphal {info.protocol_version}")
    require(any(info.unique_id), f"{said} has no serial number")
    return {"heartbeats_apart_s": apart, "mode": int(second.mode.value)}


if __name__ == "__main__":
    options = parser(__doc__)
    options.add_argument("--device", action="append", required=True, metavar="NAME=NODE")
    run(greet, options.parse_args())
