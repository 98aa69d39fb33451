"""A program that sits down at a table and plays: python table_client.py http://127.0.0.1:8000 TOKEN TABLE [KEY]

It answers every question with the first legal move. It needs the package `websockets`.
"""

import json
import secrets
import sys
import time
import urllib.request
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

server, token, table, *rest = sys.argv[1:]
who = {"Authorization": f"Bearer {token}"}
query = urlencode({"key": rest[0]} if rest else {})


def post(path, body):
    """Ask something over HTTP; a problem is an HTTPError whose body says why."""
    headers = {**who, "Content-Type": "application/json"}
    request = urllib.request.Request(f"{server}{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def play(socket):
    """Answer every question until the game is over; gives the last view."""
    for message in socket:
        frame = json.loads(message)
        if frame["type"] == "refused":
            print("refused:", frame["problem"]["detail"])  # a newer view is on its way
        if frame["type"] != "view":
            continue
        view = frame["view"]
        if view["phase"] in ("over", "closed"):
            return view
        if view["prompt"]:
            move = {"command": "play", "move": view["prompt"]["moves"][0], "seq": view["seq"]}
            socket.send(json.dumps({"command_id": secrets.token_hex(8), "do": move}))
    return None


# The same `command_id` again is answered, not done again: a lost answer can be asked for once more.
sitting = post(f"/api/tables/{table}/sit?{query}", {"command_id": "sit", "contribution": token[-8:]})
if sitting["view"]["you"]["chair"] is None:
    sys.exit("there was no chair for us")
address = f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket?{query}"
while True:
    try:
        with connect(address, additional_headers=who) as socket:
            end = play(socket)
    except (ConnectionClosed, OSError):
        time.sleep(1)  # the server is started anew (1012), or the line was lost: come back
        continue
    print("over:", end and end["outcome"])
    break
