import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;

/**
 * Encodes messages with Kafka's own classes, in every version that they have; `make-golden.ts` runs it.
 *
 * The argument is a file with messages in Kafka's JSON: {"ListGroups": {"first": 0, "last": 5, "request": {…}, "response": {…}}}.
 * Prints their bytes: {"ListGroups": {"request": {"0": "hex", …}, …}}. Fields that a version lacks are left out; `first`
 * and `last` exclude versions with another layout.
 */
public class GoldenBytes {
  public static void main(String[] args) throws Exception {
    ObjectMapper json = new ObjectMapper();
    ObjectNode bytes = json.createObjectNode();
    for (Map.Entry<String, JsonNode> api : json.readTree(new File(args[0])).properties()) {
      ObjectNode own = bytes.putObject(api.getKey());
      for (String kind : new String[] {"request", "response"}) {
        JsonNode message = api.getValue().get(kind);
        String name = "org.apache.kafka.common.message." + api.getKey() + (kind.equals("request") ? "Request" : "Response");
        if (message != null) encode(name, message, api.getValue(), own.putObject(kind));
      }
    }
    json.writeValue(System.out, bytes);
  }

  private static void encode(String name, JsonNode message, JsonNode limits, ObjectNode versions) throws Exception {
    Message any = (Message) Class.forName(name + "Data").getDeclaredConstructor().newInstance();
    int first = limits.path("first").asInt(any.lowestSupportedVersion());
    int last = limits.path("last").asInt(any.highestSupportedVersion());
    for (int version = first; version <= last; version++) {
      versions.put(String.valueOf(version), HexFormat.of().formatHex(encode(name, message.deepCopy(), (short) version)));
    }
  }

  private static byte[] encode(String name, JsonNode message, short version) throws Exception {
    var reader = Class.forName(name + "DataJsonConverter").getMethod("read", JsonNode.class, short.class);
    while (true) {
      try {
        var buffer = MessageUtil.toByteBufferAccessor((Message) reader.invoke(null, message, version), version).buffer();
        byte[] written = new byte[buffer.remaining()];
        buffer.get(written);
        return written;
      } catch (UnsupportedVersionException error) {
        Matcher field = Pattern.compile("non-default (\\w+)").matcher(error.getMessage());
        if (!field.find() || !remove(message, field.group(1))) throw error;
      }
    }
  }

  /** Removes a field wherever it is; returns whether there was one. */
  private static boolean remove(JsonNode message, String field) {
    boolean found = message instanceof ObjectNode object && object.remove(field) != null;
    for (JsonNode part : message) found |= remove(part, field);
    return found;
  }
}
