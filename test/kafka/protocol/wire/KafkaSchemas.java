import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.types.*;

/** Prints the error codes, and the layout of every message in every version: key, side, version and fields, in the words of `describeFields`. */
public class KafkaSchemas {
    public static void main(String[] args) {
        for (Errors error : Errors.values()) System.out.println("error " + error.name() + " {" + error.code() + "}");
        for (ApiMessageType api : ApiMessageType.values()) {
            print(api, "request", api.requestSchemas());
            print(api, "response", api.responseSchemas());
        }
    }

    static void print(ApiMessageType api, String side, Schema[] versions) {
        for (int version = 0; version < versions.length; version++) {
            if (versions[version] == null) continue;
            System.out.println(api.name + " " + api.apiKey() + " " + side + " " + version + " " + fields(versions[version]));
        }
    }

    static String fields(Schema schema) {
        List<String> words = new ArrayList<>();
        String end = "";
        for (BoundField field : schema.fields()) {
            if (field.def.type instanceof TaggedFields tags) {
                tags.fields().forEach((tag, def) -> words.add(tag + "=" + def.name + ":" + show(def.type)));
                end = " tags";
            } else words.add(field.def.name + ":" + show(field.def.type));
        }
        return "{" + String.join(" ", words) + end + "}";
    }

    /** A type, with `compact` for the lengths of flexible versions. */
    static String show(Type type) {
        if (type instanceof Schema schema) return fields(schema);
        String compact = type.toString().startsWith("COMPACT") ? "compact " : "";
        String nullable = type.isNullable() ? "?" : "";
        String name = type.toString().replace("COMPACT_", "").replace("NULLABLE_", "").replace("FLOAT", "float").toLowerCase();
        return compact + type.arrayElementType().map(item -> "[" + show(item) + "]").orElse(name) + nullable;
    }
}
