/** A configuration file of a shadow link that copies every topic; what is optional is commented out. */
export const linkTemplate = `# A shadow link: the cluster that creates it copies topics from a source cluster.
# Create it with: weir shadow create --config-file FILE
# Remove the # of what you need. What is left out has its default.

# Letters, digits, "." "_" and "-"
name: my-link

# How to reach the source
client_options:
  # Brokers of the source, with their ports
  bootstrap_servers:
    - source-1.example.com:9092
    - source-2.example.com:9092

  # TLS, with files on every broker of this cluster, or with tls_pem_settings (ca, cert and key as text)
  # tls_settings:
  #   enabled: true
  #   tls_file_settings:
  #     ca_path: /etc/redpanda/source-ca.crt
  #     cert_path: /etc/redpanda/client.crt
  #     key_path: /etc/redpanda/client.key
  #   do_not_set_sni_hostname: false

  # The user that reads the source, or plain_configuration with username and password.
  # It needs read and describe_configs on the topics, describe and read on the groups, and describe on the cluster.
  # authentication_configuration:
  #   scram_configuration:
  #     username: replicator
  #     password: change-me
  #     scram_mechanism: SCRAM_SHA_256

  # Limits of the connection, with their defaults
  # metadata_max_age_ms: 10000
  # connection_timeout_ms: 1000
  # retry_backoff_ms: 100
  # fetch_wait_max_ms: 500
  # fetch_min_bytes: 5242880
  # fetch_max_bytes: 20971520
  # fetch_partition_max_bytes: 5242880

# Which topics are copied. They are created here by themselves.
topic_metadata_sync_options:
  # How often new topics and changed properties are looked for
  # interval: 30s
  # pattern_type: LITERAL or PREFIX; filter_type: INCLUDE or EXCLUDE. "*" alone, with LITERAL, is every topic.
  auto_create_shadow_topic_filters:
    - pattern_type: LITERAL
      filter_type: INCLUDE
      name: '*'
  #   - pattern_type: PREFIX
  #     filter_type: EXCLUDE
  #     name: temp-
  # Properties to copy besides those that always are, such as cleanup.policy, and the default ones, such as retention.ms
  # synced_shadow_topic_properties:
  #   - segment.ms
  # Copy none of the default ones
  # exclude_default: false
  # Where a new topic begins: start_at_earliest (default), start_at_latest or start_at_timestamp
  # start_at_timestamp: 2026-01-01T00:00:00Z
  # paused: false

# Which committed offsets are copied: none without a filter
consumer_offset_sync_options:
  # interval: 30s
  group_filters:
    - pattern_type: LITERAL
      filter_type: INCLUDE
      name: '*'
  # paused: false

# Which ACLs are copied: none without a filter
# security_sync_options:
#   interval: 30s
#   acl_filters:
#     # resource_type: ANY, CLUSTER, GROUP, TOPIC, TXN_ID, SR_SUBJECT, SR_REGISTRY or SR_ANY
#     # pattern_type: ANY, LITERAL, PREFIXED or MATCH. Without a name, every name.
#     - resource_filter:
#         resource_type: TOPIC
#         pattern_type: PREFIXED
#         name: orders
#       # operation: ANY, READ, WRITE, CREATE, REMOVE, ALTER, DESCRIBE, CLUSTER_ACTION, DESCRIBE_CONFIGS,
#       # ALTER_CONFIGS or IDEMPOTENT_WRITE; permission_type: ANY, ALLOW or DENY. Without a principal or host, every one.
#       access_filter:
#         principal: User:app
#         operation: ANY
#         permission_type: ALLOW
#         host: '*'
#   paused: false

# The schema registry: the whole topic _schemas, or what is chosen over the API of the source's registry (Redpanda 26.2)
# schema_registry_sync_options:
#   shadow_schema_registry_topic: {}
#   shadow_schema_registry_api:
#     source_url: https://registry.example.com:8081
#     auth_options:
#       basic:
#         username: replicator
#         password: change-me
#     # tls_settings as above
#     tail_interval: 10s
#     full_sync_interval: 5m
#     max_source_requests_per_second: 30
#     # Everything without a filter
#     source_filter:
#       contexts: [.prod]
#       subjects: [orders-value]
#     # The same contexts here (identity: {}), or others
#     destination:
#       exact:
#         mappings:
#           - source: .prod
#             destination: .copied
#     # What to do with rules and tags of schemas, which Redpanda does not have: FAIL or REMOVE
#     unsupported_schema_feature_policy: FAIL

# Which roles are copied (Redpanda 26.2): none without a filter
# role_sync_options:
#   interval: 30s
#   role_name_filters:
#     - pattern_type: LITERAL
#       filter_type: INCLUDE
#       name: '*'
#   paused: false
`;
