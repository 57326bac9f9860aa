"""PPP straight from a client to its workers, no queue between them: `python without_a_queue.py`."""

from zwire import Client, Worker


def main() -> None:
    with Client.direct("tcp://127.0.0.1:*") as client:
        url = client.addresses[0].replace("tcp://", "ppp://")
        workers = [Worker(url, "square") for _ in range(3)]
        for worker in workers:
            worker.handler(lambda number: str(int(number) ** 2))
            worker.start()
        futures = [client.submit("square", str(number)) for number in range(5)]
        print(*(future.result().body[0].decode() for future in futures))
        for worker in workers:
            worker.close()


if __name__ == "__main__":
    main()
