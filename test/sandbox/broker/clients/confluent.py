"""Runs librdkafka's Python client against model brokers: python3 confluent.py VERB BROKERS TOPIC [GROUP]

produce       write each line of stdin as a record
consume       print the values of the topic (--committed: only committed records)
member        print the values of the topic as a member of the group, until SIGTERM
transactions  write committed and aborted records
transform     copy the topic in upper case to the topic GROUP, with offsets and records in one transaction
"""
import signal
import sys

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, Producer, TopicPartition


def check(error, _):
    if error is not None:
        sys.exit(f"not delivered: {error}")


def produce(brokers, topic):
    producer = Producer({"bootstrap.servers": brokers, "enable.idempotence": True, "linger.ms": 5})
    for line in sys.stdin:
        value = line.rstrip("\n")
        producer.produce(topic, key=value, value=value, on_delivery=check)
    producer.flush(60)


def consume(brokers, topic, committed):
    consumer = Consumer({
        "bootstrap.servers": brokers,
        "group.id": "unused",
        "enable.auto.commit": False,
        "enable.partition.eof": True,
        "check.crcs": True,
        "isolation.level": "read_committed" if committed else "read_uncommitted",
    })
    known = consumer.list_topics(topic, timeout=30).topics[topic]
    consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in known.partitions])
    left = len(known.partitions)
    while left > 0:
        message = consumer.poll(30)
        if message is None:
            sys.exit("no record arrived within 30 seconds")
        if message.error() is None:
            print(message.value().decode())
        elif message.error().code() == KafkaError._PARTITION_EOF:
            left -= 1
        else:
            sys.exit(str(message.error()))
    consumer.close()


def member(brokers, topic, group):
    consumer = Consumer({
        "bootstrap.servers": brokers,
        "group.id": group,
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
        "session.timeout.ms": 60000,
        "heartbeat.interval.ms": 200,
    })
    ended = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    consumer.subscribe([topic])
    while not ended:
        message = consumer.poll(0.1)
        if message is None or message.error() is not None:
            continue
        print(message.value().decode(), flush=True)
        consumer.commit(message, asynchronous=False)
    consumer.close()


def transactions(brokers, topic):
    producer = Producer({"bootstrap.servers": brokers, "transactional.id": f"{topic}-writer", "linger.ms": 5})
    producer.init_transactions()

    def write(*values):
        producer.begin_transaction()
        for value in values:
            producer.produce(topic, value=value, on_delivery=check)
            producer.flush(30)  # one batch per record, so that the transaction spans several

    write("a", "b")
    producer.commit_transaction()
    write("c", "d")
    producer.abort_transaction()
    write("e")
    producer.commit_transaction()


def transform(brokers, topic, target):
    consumer = Consumer({
        "bootstrap.servers": brokers,
        "group.id": f"{target}-group",
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
        "enable.partition.eof": True,
        "isolation.level": "read_committed",
    })
    producer = Producer({"bootstrap.servers": brokers, "transactional.id": f"{target}-writer"})
    producer.init_transactions()
    consumer.subscribe([topic])
    ends = 0
    partitions = len(consumer.list_topics(topic, timeout=30).topics[topic].partitions)
    producer.begin_transaction()
    while ends < partitions:
        message = consumer.poll(30)
        if message is None:
            sys.exit("no record arrived within 30 seconds")
        if message.error() is None:
            producer.produce(target, value=message.value().upper(), on_delivery=check)
        elif message.error().code() == KafkaError._PARTITION_EOF:
            ends += 1
        else:
            sys.exit(str(message.error()))
    places = consumer.position(consumer.assignment())
    producer.send_offsets_to_transaction(places, consumer.consumer_group_metadata())
    producer.commit_transaction()
    for place in consumer.committed(places, timeout=30):
        print(place.partition, place.offset)
    consumer.close()


verb, brokers, topic, rest = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
if verb == "produce":
    produce(brokers, topic)
elif verb == "consume":
    consume(brokers, topic, "--committed" in rest)
elif verb == "member":
    member(brokers, topic, rest[0])
elif verb == "transactions":
    transactions(brokers, topic)
else:
    transform(brokers, topic, rest[0])
