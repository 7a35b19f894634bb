import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * Writes messages with Kafka's own generated classes. Reads a JSON list of [message, version, fields] from standard
 * input and prints a line of hexadecimal digits for each.
 */
public class KafkaBytes {
  public static void main(String[] args) throws Exception {
    for (JsonNode row : new ObjectMapper().readTree(System.in)) {
      String name = "org.apache.kafka.common.message." + row.get(0).asText() + "Data";
      short version = (short) row.get(1).asInt();
      Message message =
          (Message)
              Class.forName(name + "JsonConverter")
                  .getMethod("read", JsonNode.class, short.class)
                  .invoke(null, row.get(2), version);
      ObjectSerializationCache cache = new ObjectSerializationCache();
      ByteBuffer bytes = ByteBuffer.allocate(message.size(cache, version));
      message.write(new ByteBufferAccessor(bytes), cache, version);
      System.out.println(HexFormat.of().formatHex(bytes.array()));
    }
  }
}
