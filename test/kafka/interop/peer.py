"""librdkafka through its Python client, as a peer of weir: python3 peer.py VERB BROKERS [TOPIC ...]

produce      records from stdin, a JSON object a line with everything in base64, with the codec of the record
consume      everything that is in the topics, in the same form (--committed: read committed)
transactions committed, aborted, plain and open records in one topic; the open transaction ends when stdin ends
"""
import base64
import json
import sys

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, Producer, TopicPartition


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


def transactions(brokers, topic):
    producer = Producer({"bootstrap.servers": brokers, "transactional.id": f"{topic}-writer", "linger.ms": 5})
    producer.init_transactions()

    def write(*values):
        producer.begin_transaction()
        for value in values:
            producer.produce(topic, value=value, on_delivery=check)
            producer.flush(30)  # a batch each: the transaction spans several

    write("a", "b")
    producer.commit_transaction()
    write("c", "d")
    producer.abort_transaction()
    plain = Producer({"bootstrap.servers": brokers})
    plain.produce(topic, value="e", on_delivery=check)
    plain.flush(30)
    write("f")
    producer.commit_transaction()
    write("g", "h")
    plain.produce(topic, value="i", on_delivery=check)
    plain.flush(30)
    print("open", flush=True)
    sys.stdin.read()
    producer.commit_transaction()


verb, brokers, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
if verb == "produce":
    produce(brokers)
elif verb == "consume":
    consume(brokers, [word for word in rest if word != "--committed"], "--committed" in rest)
else:
    transactions(brokers, rest[0])
