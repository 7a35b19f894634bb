import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.SecurityUtils;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/**
 * Decides with the authorizer of Kafka's brokers. Reads a JSON list of [everyone allowed without ACLs, super user,
 * ACLs, questions] from standard input, and prints a line of ALLOWED and DENIED for each.
 */
public class Decisions {
  record Context(KafkaPrincipal principal, InetAddress clientAddress) implements AuthorizableRequestContext {
    public String listenerName() { return "L"; }
    public SecurityProtocol securityProtocol() { return SecurityProtocol.PLAINTEXT; }
    public int requestType() { return 0; }
    public int requestVersion() { return 0; }
    public String clientId() { return "c"; }
    public int correlationId() { return 0; }
  }

  public static void main(String[] args) throws Exception {
    for (JsonNode scene : new ObjectMapper().readTree(System.in)) {
      StandardAuthorizer authorizer = new StandardAuthorizer();
      authorizer.configure(
          Map.of(
              "allow.everyone.if.no.acl.found", scene.get(0).asText(),
              "super.users", scene.get(1).asText()));
      authorizer.withPluginMetrics(new PluginMetricsImpl(new Metrics(), Map.of()));
      authorizer.completeInitialLoad();
      for (JsonNode acl : scene.get(2)) authorizer.addAcl(Uuid.randomUuid(), aclOf(acl));
      StringBuilder line = new StringBuilder();
      for (JsonNode question : scene.get(3)) line.append(line.isEmpty() ? "" : " ").append(decide(authorizer, question));
      System.out.println(line);
    }
  }

  static StandardAcl aclOf(JsonNode acl) {
    return new StandardAcl(
        ResourceType.valueOf(acl.get("resource_type").asText()),
        acl.get("resource_name").asText(),
        PatternType.valueOf(acl.get("resource_pattern_type").asText()),
        acl.get("principal").asText(),
        acl.get("host").asText(),
        AclOperation.valueOf(acl.get("operation").asText()),
        AclPermissionType.valueOf(acl.get("permission").asText()));
  }

  static AuthorizationResult decide(StandardAuthorizer authorizer, JsonNode question) throws Exception {
    Context context =
        new Context(
            SecurityUtils.parseKafkaPrincipal(question.get("principal").asText()),
            InetAddress.getByName(question.get("host").asText()));
    ResourcePattern resource =
        new ResourcePattern(
            ResourceType.valueOf(question.get("resource_type").asText()),
            question.get("resource_name").asText(),
            PatternType.LITERAL);
    Action action =
        new Action(AclOperation.valueOf(question.get("operation").asText()), resource, 1, true, true);
    return authorizer.authorize(context, List.of(action)).get(0);
  }
}
