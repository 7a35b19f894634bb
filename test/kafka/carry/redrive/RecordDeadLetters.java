package org.apache.kafka.connect.runtime.errors;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.runtime.SinkConnectorConfig;
import org.apache.kafka.connect.runtime.isolation.Plugins;
import org.apache.kafka.connect.util.ConnectorTaskId;
import org.apache.kafka.streams.errors.internals.DefaultErrorHandlerContext;
import org.apache.kafka.streams.errors.internals.ExceptionHandlerUtils;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.TimestampedException;
import org.springframework.kafka.retrytopic.DeadLetterPublishingRecovererFactory;
import org.springframework.kafka.retrytopic.DestinationTopic;
import org.springframework.kafka.retrytopic.DestinationTopicResolver;

/**
 * Prints the headers that the classes of frameworks write into dead letters, one JSON object a line: dead-letters.jsonl.
 * Recorded with spring-kafka 4.0.0, connect-runtime 4.1.1 and kafka-streams 4.2.0 of Maven Central and what they depend on:
 * javac -cp 'lib/*' -d out RecordDeadLetters.java
 * java -cp 'out:lib/*' org.apache.kafka.connect.runtime.errors.RecordDeadLetters | grep '^{' > dead-letters.jsonl
 */
public class RecordDeadLetters {
  public static void main(String[] args) throws Exception {
    spring();
    springRetry();
    connect();
    streams();
  }

  static ConsumerRecord<byte[], byte[]> record() {
    Headers headers = new RecordHeaders();
    headers.add("trace", "t-1".getBytes(StandardCharsets.UTF_8));
    return new ConsumerRecord<>("orders", 2, 4_294_967_303L, 1_700_000_000_000L, TimestampType.CREATE_TIME, 3, 5,
        "key".getBytes(), "value".getBytes(), headers, Optional.empty());
  }

  static <E extends Throwable> E bare(E error) {
    error.setStackTrace(new StackTraceElement[0]);
    return error;
  }

  static ListenerExecutionFailedException failure() {
    return bare(new ListenerExecutionFailedException("listener failed", "billing", bare(new IllegalStateException("no such customer"))));
  }

  @SuppressWarnings("unchecked")
  static KafkaOperations<Object, Object> template(String framework) {
    return (KafkaOperations<Object, Object>) Proxy.newProxyInstance(RecordDeadLetters.class.getClassLoader(),
        new Class<?>[] {KafkaOperations.class}, (proxy, method, values) -> {
          if (method.getName().equals("send")) {
            print(framework, (ProducerRecord<?, ?>) values[0]);
            return CompletableFuture.completedFuture(null);
          }
          return method.getReturnType() == boolean.class ? false : null;
        });
  }

  static void spring() {
    DeadLetterPublishingRecoverer recoverer = new DeadLetterPublishingRecoverer(template("spring"));
    recoverer.setLogRecoveryRecord(false);
    try {
      recoverer.accept(record(), null, failure());
    } catch (NullPointerException logging) {
      // The proxy returns no result to log.
    }
  }

  static void springRetry() throws Exception {
    // Its type is not public.
    Object dltType = Class.forName(DestinationTopic.class.getName() + "$Type").getEnumConstants()[3];
    java.lang.reflect.Constructor<?> make = java.util.Arrays.stream(DestinationTopic.Properties.class.getDeclaredConstructors())
        .filter(one -> one.getParameterCount() == 9).findFirst().orElseThrow();
    make.setAccessible(true);
    java.util.function.BiPredicate<Integer, Throwable> never = (attempts, error) -> false;
    DestinationTopic dlt = new DestinationTopic("orders-dlt", (DestinationTopic.Properties) make.newInstance(0L, "-dlt", dltType, 3, 1,
        org.springframework.kafka.retrytopic.DltStrategy.FAIL_ON_ERROR, template("spring retry topics"), never, -1L));
    DestinationTopicResolver resolver = (DestinationTopicResolver) Proxy.newProxyInstance(
        RecordDeadLetters.class.getClassLoader(), new Class<?>[] {DestinationTopicResolver.class}, (proxy, method, values) -> dlt);
    DeadLetterPublishingRecovererFactory factory = new DeadLetterPublishingRecovererFactory(resolver);
    factory.neverLogListenerException();
    TimestampedException error = bare(new TimestampedException(failure(), 1_700_000_001_000L));
    factory.create("main").accept(record(), null, error);
  }

  static void connect() throws Exception {
    Map<String, String> config = Map.of("name", "sink", "connector.class", "x", "topics", "orders",
        "errors.deadletterqueue.topic.name", "dlq", "errors.deadletterqueue.context.headers.enable", "true");
    SinkConnectorConfig sink = new SinkConnectorConfig(new Plugins(Map.of()), config);
    KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(Map.of("bootstrap.servers", "localhost:1"), new ByteArraySerializer(), new ByteArraySerializer());
    DeadLetterQueueReporter reporter = new DeadLetterQueueReporter(producer, sink, new ConnectorTaskId("sink", 0), metrics());
    ProcessingContext<ConsumerRecord<byte[], byte[]>> context = new ProcessingContext<>(record());
    context.position(Stage.VALUE_CONVERTER);
    context.executingClass(RecordDeadLetters.class);
    context.error(bare(new IllegalStateException("not JSON")));
    ProducerRecord<byte[], byte[]> out = new ProducerRecord<>("dlq", null, record().key(), record().value(), context.original().headers());
    reporter.populateContextHeaders(out, context);
    print("connect", out);
    producer.close(java.time.Duration.ZERO);
  }

  /** Metrics are not used here; their constructor needs a whole worker. */
  static ErrorHandlingMetrics metrics() throws Exception {
    java.lang.reflect.Field unsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
    unsafe.setAccessible(true);
    return (ErrorHandlingMetrics) ((sun.misc.Unsafe) unsafe.get(null)).allocateInstance(ErrorHandlingMetrics.class);
  }

  static void streams() {
    ConsumerRecord<byte[], byte[]> record = record();
    DefaultErrorHandlerContext context = new DefaultErrorHandlerContext(null, record.topic(), record.partition(), record.offset(),
        record.headers(), "node", null, record.timestamp(), record.key(), record.value());
    print("streams", ExceptionHandlerUtils.buildDeadLetterQueueRecord("dlq", record.key(), record.value(), context, bare(new IllegalStateException("not JSON"))));
  }

  static void print(String framework, ProducerRecord<?, ?> record) {
    StringBuilder out = new StringBuilder("{\"framework\":\"" + framework + "\",\"headers\":[");
    String comma = "";
    for (Header header : record.headers()) {
      String value = header.value() == null ? "null" : "\"" + HexFormat.of().formatHex(header.value()) + "\"";
      out.append(comma).append("[\"").append(header.key()).append("\",").append(value).append("]");
      comma = ",";
    }
    System.out.println(out.append("]}"));
  }
}
