"""Stands in for a cluster's service address: passes each connection on to one of the processes behind it.

    balancer.py PORT FILE     FILE has a port per line and is read again for each connection
"""

import asyncio
import itertools
import sys

port, file = int(sys.argv[1]), sys.argv[2]
turn = itertools.count()


async def pump(reader, writer):
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
    except OSError:
        writer.close()


async def passed_on(reader, writer):
    with open(file) as lines:
        behind = [int(line) for line in lines if line.strip()]
    try:
        there, to = await asyncio.open_connection("127.0.0.1", behind[next(turn) % len(behind)])
    except OSError:
        writer.close()
        return
    await asyncio.gather(pump(reader, to), pump(there, writer))
    for end in (to, writer):
        end.close()


async def main():
    server = await asyncio.start_server(passed_on, "127.0.0.1", port)
    print("ready", flush=True)
    await server.serve_forever()


asyncio.run(main())
