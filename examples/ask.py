"""A client: `python ask.py mdpx://127.0.0.1:5555 echo one two` asks once for each word, all at once."""

import sys

from zwire import Client, NoAnswer


def main(url: str, service: str, *words: str) -> None:
    with Client(url) as client:
        futures = [client.submit(service, word) for word in words]
        for future in futures:
            try:
                reply = future.result()
            except NoAnswer as error:
                sys.exit(str(error))
            print(b" ".join(reply.body).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
