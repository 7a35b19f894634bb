import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.io.Encoder;

/**
 * Apache Avro on the other side of a pipe. Each line of input is a command and is answered by lines of output:
 * "schema TEXT" reads a schema and answers "ok" or "no REASON"; "random COUNT SEED" makes values of it and answers
 * "HEX JSON" for each; "binary INDEX HEX" and "json INDEX TEXT" answer whether that is the value with the index.
 */
public final class AvroPeer {
  private final PrintStream out;
  private Schema schema;
  private final List<Object> values = new ArrayList<>();

  private AvroPeer(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16);
    AvroPeer peer = new AvroPeer(out);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 2);
      if (words[0].equals("flush")) {
        out.flush();
        continue;
      }
      try {
        peer.answer(words[0], words.length < 2 ? "" : words[1]);
      } catch (Exception | StackOverflowError error) {
        out.println("no " + String.valueOf(error).replace('\n', ' '));
      }
    }
    out.flush();
  }

  private void answer(String command, String rest) throws IOException {
    String[] words = rest.split(" ", 2);
    switch (command) {
      case "schema" -> {
        schema = null;
        values.clear();
        // Registries and deserializers take known schemas as they are.
        schema = new Schema.Parser(NameValidator.NO_VALIDATION).parse(rest);
        out.println("ok");
      }
      case "random" -> random(Integer.parseInt(words[0]), Long.parseLong(words[1]));
      case "binary" -> compare(words[0], readBinary(HexFormat.of().parseHex(words.length < 2 ? "" : words[1])));
      case "json" -> compare(words[0], readJson(words[1]));
      default -> throw new IllegalArgumentException(command);
    }
  }

  private void compare(String index, Object value) {
    Object expected = values.get(Integer.parseInt(index));
    out.println(equal(schema, expected, value) ? "same" : "differs " + expected);
  }

  /** Equality that tells 0.0 from -0.0 and takes NaN for equal. */
  private static boolean equal(Schema type, Object one, Object other) {
    return switch (type.getType()) {
      case RECORD -> {
        boolean same = true;
        for (Schema.Field field : type.getFields()) {
          GenericData.Record a = (GenericData.Record) one;
          same &= equal(field.schema(), a.get(field.pos()), ((GenericData.Record) other).get(field.pos()));
        }
        yield same;
      }
      case UNION -> {
        int branch = data.resolveUnion(type, one);
        yield branch == data.resolveUnion(type, other) && equal(type.getTypes().get(branch), one, other);
      }
      case ARRAY -> {
        List<?> a = (List<?>) one;
        List<?> b = (List<?>) other;
        boolean same = a.size() == b.size();
        for (int i = 0; same && i < a.size(); i++) same = equal(type.getElementType(), a.get(i), b.get(i));
        yield same;
      }
      case MAP -> {
        Map<String, Object> a = texts((Map<?, ?>) one);
        Map<String, Object> b = texts((Map<?, ?>) other);
        boolean same = a.keySet().equals(b.keySet());
        for (String key : a.keySet()) same = same && equal(type.getValueType(), a.get(key), b.get(key));
        yield same;
      }
      case STRING, ENUM -> one.toString().equals(other.toString());
      default -> one == null ? other == null : one.equals(other);
    };
  }

  private static Map<String, Object> texts(Map<?, ?> map) {
    Map<String, Object> texts = new LinkedHashMap<>();
    map.forEach((key, value) -> texts.put(key.toString(), value));
    return texts;
  }

  private static final GenericData data = new GenericData();

  private Object readBinary(byte[] bytes) throws IOException {
    var decoder = DecoderFactory.get().binaryDecoder(bytes, null);
    Object value = new GenericDatumReader<>(schema, schema, data).read(null, decoder);
    if (!decoder.isEnd()) throw new IOException("bytes left over");
    return value;
  }

  private Object readJson(String text) throws IOException {
    return new GenericDatumReader<>(schema, schema, data).read(null, DecoderFactory.get().jsonDecoder(schema, text));
  }

  private void random(int count, long seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < count; i++) {
      Object value = value(schema, random, 0);
      values.add(value);
      ByteArrayOutputStream json = new ByteArrayOutputStream();
      write(value, EncoderFactory.get().jsonEncoder(schema, json));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      // Every other value has blocks with their sizes.
      EncoderFactory factory = new EncoderFactory().configureBlockSize(64);
      BinaryEncoder encoder =
          i % 2 == 0 ? factory.binaryEncoder(bytes, null) : factory.blockingBinaryEncoder(bytes, null);
      write(value, encoder);
      out.println(HexFormat.of().formatHex(bytes.toByteArray()) + " " + json.toString(StandardCharsets.UTF_8));
    }
  }

  private void write(Object value, Encoder encoder) throws IOException {
    new GenericDatumWriter<>(schema, data).write(value, encoder);
    encoder.flush();
  }

  private static final String[] texts = {
    "", "a", "name", "two words", "quote \" backslash \\ slash /", "line\nfeed\ttab\r\b\f", "\u0000\u001f\u007f",
    "äöü ß é", "日本語", "\uD83D\uDE00 emoji", "\u2028\u2029", "{\"a\":1}",
    "a text that is longer than the sixty-three bytes which fit the short way, by some"
  };

  private static String text(Random random) {
    int kind = random.nextInt(texts.length + 2);
    if (kind < texts.length) return texts[kind];
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(kind == texts.length ? 12 : 300); left > 0; left--) {
      int point = random.nextInt(3) > 0 ? 32 + random.nextInt(95) : random.nextInt(0x11000);
      if (point < 0xd800 || point > 0xdfff) text.appendCodePoint(point);
    }
    return text.toString();
  }

  private static final long[] longs = {
    0, 1, -1, 63, 64, -64, -65, 8191, 8192, -8192, -8193, 1 << 20, 1 << 27, (1 << 28) - 1, 1700000000000L,
    (1L << 53) - 1, 1L << 53, (1L << 53) + 1, -(1L << 53), -(1L << 53) - 1, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private static long integer(Random random) {
    if (random.nextInt(3) == 0) return longs[random.nextInt(longs.length)];
    return random.nextLong() >> random.nextInt(64);
  }

  private static final double[] doubles = {
    0, -0.0, 1, -1, 0.1, 0.5, 19.99, 1e-6, 1e-7, 123456.789, 1e15, 1e16, 1e21, 1e22, 1e23, 1e300, 4294967296.0,
    Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 5e-324,
    9007199254740993.0, 0.30000000000000004, 2.2250738585072014E-308, 999999999.999999, -0.000001
  };

  private static double floating(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> doubles[random.nextInt(doubles.length)];
      case 1 -> Double.longBitsToDouble(random.nextLong());
      case 2 -> random.nextInt(1000000) / Math.pow(10, random.nextInt(8));
      default -> random.nextGaussian() * 1000;
    };
  }

  private static float single(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> (float) doubles[random.nextInt(doubles.length)];
      case 1 -> Float.intBitsToFloat(random.nextInt());
      case 2 -> (float) (random.nextInt(1000000) / Math.pow(10, random.nextInt(8)));
      default -> (float) (random.nextGaussian() * 1000);
    };
  }

  private static byte[] bytes(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Below this depth unions take null and collections are empty where that is possible. */
  private static final int deep = 6;

  private static Object value(Schema type, Random random, int depth) {
    return switch (type.getType()) {
      case NULL -> null;
      case BOOLEAN -> random.nextBoolean();
      case INT -> (int) integer(random);
      case LONG -> integer(random);
      case FLOAT -> single(random);
      case DOUBLE -> floating(random);
      case STRING -> text(random);
      case BYTES -> ByteBuffer.wrap(bytes(random, random.nextInt(20)));
      case FIXED -> new GenericData.Fixed(type, bytes(random, type.getFixedSize()));
      case ENUM -> new GenericData.EnumSymbol(
          type, type.getEnumSymbols().get(random.nextInt(type.getEnumSymbols().size())));
      case UNION -> union(type, random, depth);
      case ARRAY -> {
        List<Object> items = new GenericData.Array<>(0, type);
        for (int left = count(random, depth); left > 0; left--) {
          items.add(value(type.getElementType(), random, depth + 1));
        }
        yield items;
      }
      case MAP -> {
        Map<String, Object> entries = new LinkedHashMap<>();
        for (int left = count(random, depth); left > 0; left--) {
          entries.put(text(random), value(type.getValueType(), random, depth + 1));
        }
        yield entries;
      }
      case RECORD -> {
        GenericData.Record record = new GenericData.Record(type);
        for (Schema.Field field : type.getFields()) {
          record.put(field.pos(), value(field.schema(), random, depth + 1));
        }
        yield record;
      }
    };
  }

  private static int count(Random random, int depth) {
    if (depth >= deep) return 0;
    return random.nextInt(20) == 0 && depth < 3 ? random.nextInt(60) : random.nextInt(4);
  }

  private static Object union(Schema type, Random random, int depth) {
    List<Schema> branches = type.getTypes();
    Schema branch = branches.get(random.nextInt(branches.size()));
    if (depth >= deep) for (Schema one : branches) if (one.getType() == Schema.Type.NULL) branch = one;
    return value(branch, random, depth + 1);
  }
}
