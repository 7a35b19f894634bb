"""librdkafka through its Python client, as a peer of weir: python3 peer.py VERB BROKERS [TOPIC ...]

produce      records from stdin, a JSON object a line with everything in base64, with the codec of the record
consume      everything that is in the topics, in the same form (--committed: read committed)
transactions committed, aborted, plain and open records in one topic; the open transaction ends when stdin ends
random       TOPIC SEED: transactions of three producers and plain records, as the seed has them; then a plain record
             "stable", and behind it an open transaction with a plain record "last"; the open transaction is aborted
             when stdin ends
"""
import base64
import json
import random
import sys
import time

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, Producer, TopicPartition

# The longest that brokers allow: they abort a transaction that is open for longer, however slow its test is.
transaction_timeout_ms = 900_000


def packed(data):
    return None if data is None else base64.b64encode(data).decode()


def unpacked(text):
    return None if text is None else base64.b64decode(text)


def producer_of(brokers, producers, codec):
    if codec not in producers:
        producers[codec] = Producer({
            "bootstrap.servers": brokers,
            "compression.type": codec,
            "enable.idempotence": True,
            "partitioner": "murmur2_random",
            "linger.ms": 50,
        })
    return producers[codec]


def check(error, _):
    if error is not None:
        sys.exit(f"not delivered: {error}")


def produce(brokers):
    producers = {}
    for line in sys.stdin:
        record = json.loads(line)
        producer_of(brokers, producers, record["codec"]).produce(
            record["topic"],
            key=unpacked(record["key"]),
            value=unpacked(record["value"]),
            headers=[(name, unpacked(value)) for name, value in record["headers"]],
            timestamp=record["timestamp"],
            on_delivery=check,
        )
    for producer in producers.values():
        producer.flush(60)


def consume(brokers, topics, committed):
    consumer = Consumer({
        "bootstrap.servers": brokers,
        "group.id": "unused",
        "enable.auto.commit": False,
        "enable.partition.eof": True,
        "check.crcs": True,
        "isolation.level": "read_committed" if committed else "read_uncommitted",
    })
    places = []
    for topic in topics:
        known = consumer.list_topics(topic, timeout=30).topics[topic]
        places += [TopicPartition(topic, number, OFFSET_BEGINNING) for number in known.partitions]
    consumer.assign(places)
    left = len(places)
    while left > 0:
        message = consumer.poll(30)
        if message is None:
            sys.exit("nothing came for 30 seconds")
        if message.error() is not None:
            if message.error().code() != KafkaError._PARTITION_EOF:
                sys.exit(str(message.error()))
            left -= 1
            continue
        print(json.dumps({
            "topic": message.topic(),
            "partition": message.partition(),
            "offset": message.offset(),
            "key": packed(message.key()),
            "value": packed(message.value()),
            "headers": [[name, packed(value)] for name, value in message.headers() or []],
            "timestamp": message.timestamp()[1],
        }))
    consumer.close()


class Markers:
    """Waits for the markers of transactions: a coordinator writes them after it has answered commit or abort."""

    def __init__(self, brokers, topic):
        self.place = TopicPartition(topic, 0)
        self.ends = [
            Consumer({"bootstrap.servers": brokers, "group.id": "unused", "isolation.level": level})
            for level in ("read_uncommitted", "read_committed")
        ]

    def offsets(self):
        """The high watermark and the last stable offset."""
        return tuple(end.get_watermark_offsets(self.place, timeout=30)[1] for end in self.ends)

    def wait(self):
        """Returns when no transaction is open or ending: the last stable offset is the high watermark."""
        limit = time.monotonic() + 60
        while True:
            high, stable = self.offsets()
            if high == stable:
                return
            if time.monotonic() > limit:
                sys.exit(f"after 60 seconds the last stable offset is {stable}, the high watermark {high}")
            time.sleep(0.01)

    def check_open(self):
        """Makes sure that `wait` would wait for an open transaction."""
        high, stable = self.offsets()
        if stable >= high:
            sys.exit(f"a transaction is open, but the last stable offset is {stable}, the high watermark {high}")


def transactions(brokers, topic):
    producer = Producer({
        "bootstrap.servers": brokers,
        "transactional.id": f"{topic}-writer",
        "transaction.timeout.ms": transaction_timeout_ms,
        "linger.ms": 5,
    })
    producer.init_transactions()
    markers = Markers(brokers, topic)

    def write(*values):
        producer.begin_transaction()
        for value in values:
            producer.produce(topic, value=value, on_delivery=check)
            producer.flush(30)  # a batch each: the transaction spans several

    def end(how):
        how()
        markers.wait()

    write("a", "b")
    end(producer.commit_transaction)
    write("c", "d")
    end(producer.abort_transaction)
    plain = Producer({"bootstrap.servers": brokers})
    plain.produce(topic, value="e", on_delivery=check)
    plain.flush(30)
    write("f")
    end(producer.commit_transaction)
    write("g", "h")
    plain.produce(topic, value="i", on_delivery=check)
    plain.flush(30)
    markers.check_open()
    print("open", flush=True)
    sys.stdin.read()
    end(producer.commit_transaction)


def random_transactions(brokers, topic, seed):
    dice = random.Random(int(seed))
    writers = [
        Producer({
            "bootstrap.servers": brokers,
            "transactional.id": f"{topic}-{number}",
            "transaction.timeout.ms": transaction_timeout_ms,
            "compression.type": codec,
            "linger.ms": 0,
        })
        for number, codec in enumerate(("none", "none", "lz4"))
    ]
    for writer in writers:
        writer.init_transactions()
    plain = Producer({"bootstrap.servers": brokers, "linger.ms": 0})
    markers = Markers(brokers, topic)
    is_open = set()
    written = 0

    def write(producer, *values):
        for value in values:
            producer.produce(topic, value=value, on_delivery=check)
        producer.flush(30)

    def some():
        nonlocal written
        written += 1
        return f"{written}" + "." * dice.choice((0, 0, 10, 200))

    def end(writer):
        is_open.discard(writer)
        if dice.random() < 0.5:
            writer.commit_transaction()
        else:
            writer.abort_transaction()

    for _ in range(90):
        writer = dice.choice((*writers, plain))
        if writer in is_open and dice.random() < 0.5:
            end(writer)
            continue
        if writer is not plain and writer not in is_open:
            writer.begin_transaction()
            is_open.add(writer)
        write(writer, *(some() for _ in range(dice.randint(1, 4))))
    for writer in list(writers):
        if writer in is_open:
            end(writer)
    markers.wait()
    write(plain, "stable")
    writers[0].begin_transaction()
    write(writers[0], "open", "open")
    write(plain, "last")
    markers.check_open()
    print("open", flush=True)
    sys.stdin.read()
    writers[0].abort_transaction()


verb, brokers, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
if verb == "produce":
    produce(brokers)
elif verb == "consume":
    consume(brokers, [word for word in rest if word != "--committed"], "--committed" in rest)
elif verb == "transactions":
    transactions(brokers, rest[0])
else:
    random_transactions(brokers, *rest)
