# Completion of weir for PowerShell. Generated: do not edit.

# One word a line, between tabs: what it is (c: command, h: hidden command, f: flag, o: argument, x: option of -X), the command that it
# belongs to, its spellings, what it does, and for flags what their values are.
$global:__weirWords = @'
c		topic	Manage topics; produce, consume, search and copy records
c		group,g	Manage consumer groups and their offsets; show their lag
c		transform,wasm,transfrom	Deploy and manage WebAssembly transforms; show their logs
c		cluster	Inspect the cluster; manage brokers, configs and quotas
c		shadow	Copy topics from another cluster for disaster recovery (Redpanda)
c		top	Watch brokers, topics, groups and their lag live in the terminal
c		debug	Collect debug bundles on the brokers
c		cloud	Manage cloud clusters through the control plane
c		diff	Compare files that describe a cluster with the cluster
c		apply	Make a cluster as files describe it
c		export	Describe a cluster as a file that weir diff and weir apply read
c		import	Convert files of other tools to a file that weir diff and weir apply read
c		security,sec	Manage access: ACLs, users, roles and secrets
c		registry,sr,schema-registry	Manage schemas, subjects and compatibility in the schema registry
c		profile	Manage named sets of options (one per cluster, for example)
c		config	Show the configuration in use and where each value comes from
c		doctor	Check the connection to every configured API, step by step
c		sandbox	Run a real or simulated Kafka on this machine
c		completion	Print or install a completion script for a shell
c		version	Show the versions of weir, its runtime and the operating system
c		help	Show help for a command or a subject
h		acl
h		redpanda
h		__complete
c	topic	produce	Write records from standard input to a topic
c	topic	consume	Print the records of topics
c	topic	search	Find records in topics
c	topic	copy	Copy topics, within a cluster or to another one
c	topic	redrive	Put dead letters back to the topics that they came from
c	topic	find	Show which partition a key goes to
c	topic	analyze	Show rates, record sizes and the distribution of keys
c	topic	trim-prefix,trim	Delete the oldest records of partitions
c	topic	create	Create topics
c	topic	list,ls	List topics
c	topic	describe,info	Describe topics: configs, partitions, their offsets and sizes
c	topic	describe-storage	Describe the tiered storage of a topic: sizes, offsets and uploads
c	topic	delete	Delete topics
c	topic	alter-config	Set, delete, append and subtract configs of topics
c	topic	set-config	Set configs of a topic
c	topic	add-partitions	Add partitions to topics
c	topic	reassign	Move the replicas of partitions to other brokers
c	topic	elect-leaders	Elect leaders of partitions
f	topic produce	--record-format,-f	input format (default "%v\n"), or the word json (the envelope) or csv (with a header line); --format also takes one that contains %	-
f	topic produce	--output-format,-o	format to print for every written record; if empty, only their number is printed, at the end	-
f	topic produce	--value	write one record with this value, and read no input	-
f	topic produce	--key,-k	key of records that have none in the input	-
f	topic produce	--header,-H	header of every record, before those in the input	-
f	topic produce	--partition,-p	use %p of the input, and this partition for records without one; -1 means by key, and ignores %p	-
f	topic produce	--compression,-z	compression of batches	none gzip snappy lz4 zstd
f	topic produce	--acks	who must acknowledge a batch: all in-sync replicas (all, -1), the leader (1) or nobody (0)	all -1 0 1
f	topic produce	--delivery-timeout	how long a record may take, at least 1s; 0, the default, means globals.retry_timeout for each request	-
f	topic produce	--max-message-bytes	maximum bytes of a batch before compression; larger records are refused	-
f	topic produce	--tombstone,-Z	treat an empty value as null
f	topic produce	--allow-auto-topic-creation	let the broker create a missing topic, if it allows that
f	topic produce	--schema-id	encode JSON values with this schema: its id, or "topic" for the newest one of TOPIC-value	-
f	topic produce	--schema-key-id	the same for keys; "topic" is the newest schema of TOPIC-key	-
f	topic produce	--schema-type	full name of the Protobuf message of values, if the schema has several	-
f	topic produce	--schema-key-type	the same for keys	-
f	topic produce	--schema-context	context of the schemas, for example .staging (default: as the topic says, on Redpanda)	-
f	topic produce	--generate	make up records instead of reading them: orders of a shop (sample), or values that fit a schema: the newest one of TOPIC-value (topic), the newest one of a subject, or the one with an id	@subjects sample topic
f	topic produce	--num,-n	with --generate: the number of records	-
f	topic produce	--rate	with --generate: records per second (default: as many as possible)	-
f	topic produce	--for	with --generate: how long	-
f	topic produce	--seed	with --generate: the same seed makes the same records (default: a random one, which is printed)	-
f	topic produce	--dry-run	show what would change without changing it
o	topic produce	0		@topics
f	topic consume	--offset,-o	where to start and stop: start, end, N, +N, -N, @TIME, N:M, :end, ...	start end :end -10:end @-1h @-1h:end
f	topic consume	--partitions,-p	read only these partitions of every topic	,-
f	topic consume	--regex,-r	treat topics as regular expressions that match anywhere in a name; includes new topics
f	topic consume	--group,-g	join this consumer group	@groups
f	topic consume	--balancer,-b	how the group assigns partitions (default: one that all members support)	range roundrobin sticky cooperative-sticky uniform
f	topic consume	--group-protocol	assignment by the group leader (classic) or the coordinator (consumer); default: what the group uses	classic consumer
f	topic consume	--instance-id	static membership: a restart within the session timeout causes no rebalance	-
f	topic consume	--record-format,-f	record format, for example "%k %v\n", or the word json or csv; --format also takes one that contains %	-
f	topic consume	--num,-n	stop after N records of all partitions together; 0 means never	-
f	topic consume	--idle	stop when no record has come for this long	-
f	topic consume	--tail	print the last N records of all partitions together, in the order of their times, then stop	-
f	topic consume	--pretty-print	print indented JSON (default: on a terminal only)	true false
f	topic consume	--parse-json	print keys and values that are JSON objects or arrays as JSON, not as strings (default: on a terminal only)	true false
f	topic consume	--meta-only	print JSON with the size of the value instead of the value
f	topic consume	--read-committed	omit records of open and aborted transactions; a range to end stops before the first open one
f	topic consume	--print-control-records	also print the markers that end transactions
f	topic consume	--fetch-max-bytes	maximum bytes per fetch from a broker	-
f	topic consume	--fetch-max-partition-bytes	maximum bytes per partition in a fetch	-
f	topic consume	--fetch-max-wait	how long a broker waits for records (default: globals.fetch_max_wait)	-
f	topic consume	--rack	rack of this client, to read from a nearby replica	-
f	topic consume	--use-schema-registry	decode keys and values (or only key or value) by the schemas that they name	,key value
f	topic consume	--on-decode-error	if a field cannot be decoded: print its bytes (raw, the default), leave the record out, or fail	raw skip fail
f	topic consume	--schema-context	context of the schemas, for example .staging (default: as the topic says, on Redpanda)	-
f	topic consume	--where	only records for which this expression is true, for example value.amount > 100; see weir help where	key value. headers. partition offset timestampMs keyAsText valueAsText topic
f	topic consume	--key	only records with this key; several keys match any of them	-
f	topic consume	--header	only records with this header; NAME alone matches any value	-
f	topic consume	--contains	only records with this text in the key, the value or a header; upper and lower case differ	-
f	topic consume	--explain	explain on stderr how records are found, and how many had to be examined
o	topic consume	*		@topics
f	topic search	--where	only records for which this expression is true, for example value.amount > 100; see weir help where	key value. headers. partition offset timestampMs keyAsText valueAsText topic
f	topic search	--key	only records with this key; several keys match any of them	-
f	topic search	--header	only records with this header; NAME alone matches any value	-
f	topic search	--contains	only records with this text in the key, the value or a header; upper and lower case differ	-
f	topic search	--offset,-o	what to search: -N (the last N offsets of each partition), @-1h, @TIME:TIME, N:M, ...	start end :end -10:end @-1h @-1h:end
f	topic search	--partitions,-p	read only these partitions of every topic	,-
f	topic search	--regex,-r	treat topics as regular expressions that match anywhere in a name; includes new topics
f	topic search	--num,-n	stop after N matches; 0 means never	-
f	topic search	--record-format,-f	record format, for example "%k %v\n", or the word json or csv; --format also takes one that contains %	-
f	topic search	--pretty-print	print indented JSON (default: on a terminal only)	true false
f	topic search	--parse-json	print keys and values that are JSON objects or arrays as JSON, not as strings (default: on a terminal only)	true false
f	topic search	--meta-only	print JSON with the size of the value instead of the value
f	topic search	--read-committed	omit records of open and aborted transactions; a range to end stops before the first open one
f	topic search	--fetch-max-bytes	maximum bytes per fetch from a broker	-
f	topic search	--fetch-max-partition-bytes	maximum bytes per partition in a fetch	-
f	topic search	--fetch-max-wait	how long a broker waits for records (default: globals.fetch_max_wait)	-
f	topic search	--rack	rack of this client, to read from a nearby replica	-
f	topic search	--use-schema-registry	decode keys and values (or only key or value) by the schemas that they name	,key value
f	topic search	--on-decode-error	if a field cannot be decoded: print its bytes (raw, the default), leave the record out, or fail	raw skip fail
f	topic search	--schema-context	context of the schemas, for example .staging (default: as the topic says, on Redpanda)	-
f	topic search	--explain	explain on stderr how records are found, and how many had to be examined
o	topic search	*		@topics
f	topic copy	--offset,-o	range to copy (default: everything in the topic now); after an earlier copy, only an end is allowed	start end :end -10:end @-1h @-1h:end
f	topic copy	--partitions,-p	copy only these partitions of every topic	,-
f	topic copy	--regex,-r	treat topics as regular expressions that match whole names; they keep their names
f	topic copy	--follow	keep copying new records until interrupted
f	topic copy	--exactly-once	write in transactions that include the progress: not even kill -9 repeats a record
f	topic copy	--partitions-by	partition in the destination: the one with the same number, or the one where clients look for the key	same key
f	topic copy	--where	only records for which this expression is true, for example value.amount > 100; see weir help where	key value. headers. partition offset timestampMs keyAsText valueAsText topic
f	topic copy	--key	only records with this key; several keys match any of them	-
f	topic copy	--header	only records with this header; NAME alone matches any value	-
f	topic copy	--contains	only records with this text in the key, the value or a header; upper and lower case differ	-
f	topic copy	--use-schema-registry	decode keys and values (or only key or value) for conditions, by the schemas that they name	,key value
f	topic copy	--schema-context	context of the schemas, for example .staging (default: as the topic says, on Redpanda)	-
f	topic copy	--map-schemas	register the schemas of keys and values (or only key or value) in the destination's registry, and use its ids	,key value
f	topic copy	--group,-g	share the partitions with other processes that name the same group	@groups
f	topic copy	--offsets	at the end, commit the offsets at which these groups continue in the destination; all means every group of the topics	,@groups all
f	topic copy	--create	create a missing destination with the partitions and configs of its source
f	topic copy	--append	allow a destination that already has records from elsewhere
f	topic copy	--restart	start over: also copy what earlier copies have copied
f	topic copy	--dry-run	show what would change without changing it
o	topic copy	0		@places
o	topic copy	*		@places
f	topic redrive	--to	destination: the topic named by the headers of a known framework, the one named by another header, or one topic for all	@topics origin header:
f	topic redrive	--only	topics that records may go to; others are left (default: every topic that the headers name, after a question)	,@topics
f	topic redrive	--offset,-o	dead letters to read: -N (the last N of each partition), @-1h, N:M, ... (default: everything in the topic now)	start end :end -10:end @-1h @-1h:end
f	topic redrive	--partitions,-p	read only these partitions	,-
f	topic redrive	--num,-n	stop after N records	-
f	topic redrive	--rate	records per second (default: as many as possible)	-
f	topic redrive	--partitions-by	partition in the destination: that of the origin, the one where clients look for the key, or the one with the same number as in the DLQ	origin key same
f	topic redrive	--where	only records for which this expression is true, for example value.amount > 100; see weir help where	key value. headers. partition offset timestampMs keyAsText valueAsText topic
f	topic redrive	--key	only records with this key; several keys match any of them	-
f	topic redrive	--header	only records with this header; NAME alone matches any value	-
f	topic redrive	--contains	only records with this text in the key, the value or a header; upper and lower case differ	-
f	topic redrive	--use-schema-registry	decode keys and values (or only key or value) for conditions, by the schemas that they name	,key value
f	topic redrive	--schema-context	context of the schemas, for example .staging (default: as the topic says, on Redpanda)	-
f	topic redrive	--max-attempts	leave records that have been put back this many times	-
f	topic redrive	--keep-headers	keep the error headers that the framework has added
f	topic redrive	--group,-g	group that remembers what was put back (default weir-redrive-DLQ)	@groups
f	topic redrive	--restart	start over: also put back what earlier runs have put back
f	topic redrive	--exactly-once	write in transactions that include the progress: not even kill -9 repeats a record
f	topic redrive	--dry-run	show what would change without changing it
o	topic redrive	0		@topics
f	topic find	--partitioner	how the producer chooses partitions	murmur2 crc32 fnv1a
f	topic find	--partitions,-n	number of partitions to compute with (default: those of the topic)	-
f	topic find	--encoding	how KEY is written	text hex base64
o	topic find	0		@topics
f	topic analyze	--offset,-o	the range to read of each partition, as in topic consume (default -1000:end)	start end :end -10:end @-1h @-1h:end
f	topic analyze	--time-range,-t	the times to read, for example -1m:end (the same as -o @-1m:end)	-
f	topic analyze	--limit	read at most this many records of each topic	-
f	topic analyze	--top-keys	number of frequent keys to show	-
f	topic analyze	--print-all,-a	show keys and partitions for several topics, too
f	topic analyze	--regex,-r	treat arguments as regular expressions that match whole names
o	topic analyze	*		@topics
f	topic trim-prefix	--offset,-o	the offset to start from: N, end, @TIME, +N or -N	end @-24h
f	topic trim-prefix	--partitions,-p	partitions, separated by commas (default: all)	,-
f	topic trim-prefix	--from-file,-f	read topics, partitions and offsets from a file, or from stdin with "-"	@files
f	topic trim-prefix	--dry-run	show what would change without changing it
o	topic trim-prefix	0		@topics
f	topic create	--partitions,-p	number of partitions of each topic; -1 means the cluster's default	-
f	topic create	--replicas,-r	number of replicas of each partition; -1 means the cluster's default	-
f	topic create	--topic-config,-c	config of the topics, for example retention.ms=7d or segment.bytes=64MiB	cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false
f	topic create	--if-not-exists	succeed for topics that already exist
f	topic create	--dry-run,-d	show what would change without changing it
f	topic list	--detailed,-d	include the partitions of each topic
f	topic list	--internal,-i	include internal topics
f	topic list	--regex,-r	treat arguments as regular expressions that match whole names
o	topic list	*		@topics
f	topic describe	--print-summary,-s	print the section SUMMARY
f	topic describe	--print-configs,-c	print the section CONFIGS
f	topic describe	--print-partitions,-p	print the section PARTITIONS
f	topic describe	--print-sizes,-z	print the section SIZES
f	topic describe	--print-all,-a	print all sections
f	topic describe	--regex,-r	treat arguments as regular expressions that match whole names
f	topic describe	--changed	print only the configs that were set for the topic itself
f	topic describe	--stable	also print last stable offsets, where they differ from the high watermarks
o	topic describe	*		@topics
f	topic describe-storage	--print-all,-a	print all sections
f	topic describe-storage	--print-summary,-s	print the section SUMMARY
f	topic describe-storage	--print-offset,-o	print the section OFFSETS
f	topic describe-storage	--print-size,-z	print the section SIZE
f	topic describe-storage	--print-sync,-y	print the section SYNC
f	topic describe-storage	--human-readable,-H	print sizes like 1.7GB and ages like 3m05s in text
o	topic describe-storage	0		@admin-topics
f	topic delete	--regex,-r	treat arguments as regular expressions that match whole names
f	topic delete	--if-exists	succeed if it does not exist
f	topic delete	--dry-run	show what would change without changing it
o	topic delete	*		@topics
f	topic alter-config	--set,-s	set a config, for example retention.ms=7d or segment.bytes=64MiB	cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false
f	topic alter-config	--delete,-d	delete a config, so that the config of the cluster applies	,cleanup.policy compaction.strategy compression.gzip.level compression.lz4.level compression.type compression.zstd.level confluent.key.schema.validation confluent.key.subject.name.strategy confluent.value.schema.validation confluent.value.subject.name.strategy delete.retention.ms file.delete.delay.ms flush.bytes flush.messages flush.ms follower.replication.throttled.replicas index.interval.bytes initial.retention.local.target.bytes initial.retention.local.target.ms leader.replication.throttled.replicas local.retention.bytes local.retention.ms max.compaction.lag.ms max.message.bytes message.timestamp.after.max.ms message.timestamp.before.max.ms message.timestamp.type min.cleanable.dirty.ratio min.compaction.lag.ms min.insync.replicas preallocate redpanda.iceberg.delete redpanda.iceberg.invalid.record.action redpanda.iceberg.mode redpanda.iceberg.partition.spec redpanda.iceberg.target.lag.ms redpanda.key.schema.id.validation redpanda.key.subject.name.strategy redpanda.leaders.preference redpanda.remote.allowgaps redpanda.remote.delete redpanda.remote.read redpanda.remote.readreplica redpanda.remote.recovery redpanda.remote.write redpanda.schema.registry.context redpanda.storage.mode redpanda.storage.mode.impl redpanda.value.schema.id.validation redpanda.value.subject.name.strategy remote.log.copy.disable remote.log.delete.on.disable remote.storage.enable replication.factor retention.bytes retention.local.target.bytes retention.local.target.ms retention.ms segment.bytes segment.index.bytes segment.jitter.ms segment.ms unclean.leader.election.enable write.caching
f	topic alter-config	--append	append a value to a config that holds a list	cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false
f	topic alter-config	--subtract	remove a value from a config that holds a list	cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false
f	topic alter-config	--regex,-r	treat arguments as regular expressions that match whole names
f	topic alter-config	--dry-run	show what would change without changing it
o	topic alter-config	*		@topics
f	topic set-config	--regex,-r	treat TOPIC as a regular expression that matches whole names
f	topic set-config	--dry-run	show what would change without changing it
o	topic set-config	0		@topics
o	topic set-config	*		cleanup.policy= cleanup.policy=delete cleanup.policy=compact cleanup.policy=compact,delete compaction.strategy= compression.gzip.level= compression.lz4.level= compression.type= compression.type=producer compression.type=none compression.type=uncompressed compression.type=gzip compression.type=lz4 compression.type=snappy compression.type=zstd compression.zstd.level= confluent.key.schema.validation= confluent.key.subject.name.strategy= confluent.value.schema.validation= confluent.value.subject.name.strategy= delete.retention.ms= file.delete.delay.ms= flush.bytes= flush.messages= flush.ms= follower.replication.throttled.replicas= index.interval.bytes= initial.retention.local.target.bytes= initial.retention.local.target.ms= leader.replication.throttled.replicas= local.retention.bytes= local.retention.ms= max.compaction.lag.ms= max.message.bytes= message.timestamp.after.max.ms= message.timestamp.before.max.ms= message.timestamp.type= message.timestamp.type=CreateTime message.timestamp.type=LogAppendTime min.cleanable.dirty.ratio= min.compaction.lag.ms= min.insync.replicas= preallocate= redpanda.iceberg.delete= redpanda.iceberg.invalid.record.action= redpanda.iceberg.invalid.record.action=drop redpanda.iceberg.invalid.record.action=dlq_table redpanda.iceberg.mode= redpanda.iceberg.partition.spec= redpanda.iceberg.target.lag.ms= redpanda.key.schema.id.validation= redpanda.key.subject.name.strategy= redpanda.leaders.preference= redpanda.remote.allowgaps= redpanda.remote.delete= redpanda.remote.read= redpanda.remote.readreplica= redpanda.remote.recovery= redpanda.remote.write= redpanda.schema.registry.context= redpanda.storage.mode= redpanda.storage.mode=local redpanda.storage.mode=tiered redpanda.storage.mode=cloud redpanda.storage.mode=unset redpanda.storage.mode.impl= redpanda.value.schema.id.validation= redpanda.value.subject.name.strategy= remote.log.copy.disable= remote.log.delete.on.disable= remote.storage.enable= replication.factor= retention.bytes= retention.local.target.bytes= retention.local.target.ms= retention.ms= segment.bytes= segment.index.bytes= segment.jitter.ms= segment.ms= unclean.leader.election.enable= unclean.leader.election.enable=true unclean.leader.election.enable=false write.caching= write.caching=true write.caching=false
f	topic add-partitions	--num,-n	number of partitions to add to each topic	-
f	topic add-partitions	--to	final number of partitions of each topic, instead of -n	-
f	topic add-partitions	--force,-f	accept internal topics, such as __consumer_offsets
f	topic add-partitions	--regex,-r	treat arguments as regular expressions that match whole names
f	topic add-partitions	--dry-run	show what would change without changing it
o	topic add-partitions	*		@topics
c	topic reassign	plan	Plan where the replicas of topics should be
c	topic reassign	execute	Move replicas as a file says
c	topic reassign	list	List the reassignments in progress
c	topic reassign	wait	Wait for reassignments, then remove their throttle
c	topic reassign	cancel	Cancel reassignments in progress
f	topic reassign plan	--brokers	brokers to use, separated by commas (default: all)	,@brokers
f	topic reassign plan	--replicas	number of replicas of each partition (default: as now)	-
f	topic reassign plan	--ignore-racks	do not spread replicas over racks
f	topic reassign plan	--out,-o	write the plan to this new file	@files
f	topic reassign plan	--regex,-r	treat arguments as regular expressions that match whole names
o	topic reassign plan	*		@topics
f	topic reassign execute	--throttle	limit per second for each broker, for example 10MB	-
f	topic reassign execute	--wait,-w	wait until all data is copied, then remove the throttle
f	topic reassign execute	--wait-timeout	maximum time to wait (default: no limit)	-
f	topic reassign execute	--additional	also change partitions that are already being reassigned
f	topic reassign execute	--undo-file	write the old placement to this new file, in the same format	@files
f	topic reassign execute	--dry-run	show what would change without changing it
o	topic reassign execute	0		@files
f	topic reassign list	--watch,-w	print the list again until it is empty
o	topic reassign list	*		@topics
f	topic reassign wait	--wait-timeout	maximum time to wait (default: no limit)	-
f	topic reassign wait	--dry-run	show what would change without changing it
o	topic reassign wait	*		@topics
f	topic reassign cancel	--all	cancel the reassignments of all topics
f	topic reassign cancel	--dry-run	show what would change without changing it
o	topic reassign cancel	*		@topics
f	topic elect-leaders	--partitions,-p	partitions of the one TOPIC, separated by commas (default: all)	,-
f	topic elect-leaders	--unclean	elect replicas that are not in sync for partitions without a leader
f	topic elect-leaders	--regex,-r	treat arguments as regular expressions that match whole names
f	topic elect-leaders	--dry-run	show what would change without changing it
o	topic elect-leaders	*		@topics
c	group	list,ls	List groups with their states and coordinators
c	group	describe	Describe groups: state, members, committed offsets and lag
c	group	lag	Show how far groups are behind, once or continuously
c	group	seek	Move the committed offsets of groups
c	group	delete	Delete groups with their committed offsets
c	group	offset-delete	Delete committed offsets of a group
f	group list	--topics	only groups that read one of these topics	,@topics
f	group list	--states,-s	only groups in one of these states	,PreparingRebalance CompletingRebalance Stable Empty Dead Assigning Reconciling NotReady
f	group list	--types,-t	only groups of these types	,classic consumer share streams
f	group describe	--print-summary,-s	print only the summaries
f	group describe	--print-commits,-c	print only the partitions with offsets and lag
f	group describe	--print-members,-m	print the members and what is assigned to them
f	group describe	--print-lag-per-topic,-t	print the summaries and a table with the lag of each topic
f	group describe	--regex,-r	treat arguments as regular expressions that match whole names
o	group describe	*		@groups
f	group lag	--regex,-r	treat arguments as regular expressions that match whole names
f	group lag	--watch,-w	print the lag again at every interval
f	group lag	--interval	time between two readings (default 5s)	-
f	group lag	--age	also print how long ago the oldest unread record was written (about 15 requests per leader)
f	group lag	--fail-above	exit with 10 as soon as the lag of a group is above N or unknown	-
f	group lag	--until-zero	watch until no group has lag
f	group lag	--for	stop watching after this time	-
o	group lag	*		@groups
f	group seek	--to	where to move: start, end, offset N, +N or -N records, or a time such as -1h	start end +1 -1h yesterday 9:00
f	group seek	--to-offset	move to this offset; for numbers that --to reads as times	-
f	group seek	--to-group	copy the committed offsets of this group	@groups
f	group seek	--to-file	commit the offsets in this file (- for standard input)	@files
f	group seek	--topics	only these topics, or some of their partitions: orders:0,3	,@topics
f	group seek	--regex,-r	treat arguments as regular expressions that match whole names
f	group seek	--allow-new-topics	with --to, also commit offsets of topics that have none yet
f	group seek	--allow-new-group	if no group has this name, create it with its first offsets
f	group seek	--undo-file	write the offsets from before the seek to this new file	@files
f	group seek	--dry-run	show what would change without changing it
o	group seek	*		@groups
f	group delete	--regex,-r	treat arguments as regular expressions that match whole names
f	group delete	--if-exists	succeed if it does not exist
f	group delete	--dry-run	show what would change without changing it
o	group delete	*		@groups
f	group offset-delete	--topic,-t	topics, or some of their partitions: orders:0,1,2	,@topics
f	group offset-delete	--from-file,-f	read topics and partitions from a file (- for standard input)	@files
f	group offset-delete	--dry-run	show what would change without changing it
o	group offset-delete	0		@groups
c	transform	list,ls	List the deployed transforms, with their state and lag
c	transform	deploy	Deploy a transform, or a new version of one
c	transform	pause	Pause a transform; it keeps its position
c	transform	resume	Resume a paused transform where it stopped
c	transform	delete	Delete a transform
c	transform	logs,log	Show what a transform has logged
c	transform	init	Not part of weir: create a project with rpk transform init
c	transform	build	Not part of weir: build a project with rpk transform build
f	transform list	--detailed,-d	show the state of each partition in text
f	transform deploy	--file	the WebAssembly module (default: NAME.wasm)	@files
f	transform deploy	--name	name of the transform	-
f	transform deploy	--input-topic,-i	topic whose records the transform reads	@admin-topics
f	transform deploy	--output-topic,-o	topic that the transform writes to; up to eight	,@admin-topics
f	transform deploy	--var	environment variable of the transform; overrides the one in transform.yaml	-
f	transform deploy	--compression	compression of the output (default: none)	none gzip snappy lz4 zstd
f	transform deploy	--from-offset	where the first deployment starts: @TIME, +N from the log start, or -N before the log end	-
f	transform deploy	--dry-run	show what would change without changing it
f	transform pause	--dry-run	show what would change without changing it
o	transform pause	0		@transforms
f	transform resume	--dry-run	show what would change without changing it
o	transform resume	0		@transforms
f	transform delete	--dry-run	show what would change without changing it
o	transform delete	0		@transforms
f	transform logs	--follow,-f	keep printing new lines until Ctrl-C
f	transform logs	--head	print only the first N lines	-
f	transform logs	--tail	print only the last N lines	-
f	transform logs	--since	print only lines from this time on	-
f	transform logs	--until	print only lines before this time	-
o	transform logs	0		@transforms
c	cluster	info,status,metadata	Print the cluster id, the brokers and the topics
c	cluster	health	Check for brokers that are down and partitions that are not healthy
c	cluster	features	List the features of the cluster with their supported and finalized levels
c	cluster	connections,connection	Show the connections of Kafka clients
c	cluster	config	Show and change the configs of brokers and the properties of a cluster
c	cluster	quotas,quota	Describe and change client quotas
c	cluster	license	Show the license of the cluster, or load another one
c	cluster	brokers	List brokers; decommission and recommission them
c	cluster	maintenance	Drain a broker before a restart or upgrade, and take it back
c	cluster	restart-check	Check whether a broker can be restarted, or has recovered from its restart
c	cluster	upgrade	Show and finalize an upgrade of the cluster
c	cluster	logdirs	Describe log directories and their sizes
c	cluster	loggers	Show and change the levels of the loggers of a broker
c	cluster	self-test	Measure the disks, the network and the object storage of the brokers
c	cluster	partitions	List, move, balance, disable and recover partitions; transfer their leadership
c	cluster	storage	Mount topics from object storage, unmount them, and restore a whole cluster
c	cluster	iceberg	Show the state of Iceberg topics and their catalog
c	cluster	txn,transaction	Inspect and abort transactions
c	cluster	auth	Sign in to the cluster with OAuth tokens (sasl.mechanism=OAUTHBEARER)
f	cluster info	--print-cluster,-c	print the section CLUSTER
f	cluster info	--print-brokers,-b	print the section BROKERS
f	cluster info	--print-topics,-t	print the section TOPICS (implied by TOPIC, -d and -i)
f	cluster info	--print-internal-topics,-i	include internal topics
f	cluster info	--print-detailed-topics,-d	include the partitions of each topic
o	cluster info	*		@topics
f	cluster health	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	cluster health	--watch,-w	check every 2s and print each change, until interrupted
f	cluster health	--until-healthy,-e	check every 2s and print each change, until the cluster is healthy
f	cluster health	--wait-timeout	maximum time to wait, with --until-healthy (default: no limit)	-
c	cluster connections	list,ls	List the connections of Kafka clients with their load
f	cluster connections list	--client-id	only connections with this client id	-
f	cluster connections list	--user,-u	only connections of this user	@users
f	cluster connections list	--ip-address	only connections from this address	-
f	cluster connections list	--group-id,-g	only connections of members of this group	@groups
f	cluster connections list	--state,-s	only connections in this state	OPEN CLOSED
f	cluster connections list	--idle-ms,-i	only connections idle for more than N milliseconds	-
f	cluster connections list	--client-software-name	only connections of this client library	-
f	cluster connections list	--client-software-version	only connections of this version of the library	-
f	cluster connections list	--filter-raw	conditions as the Admin API takes them, instead of the flags above	-
f	cluster connections list	--order-by	fields to sort by, each followed by asc (the default) or desc	recent_request_statistics.produce_bytes recent_request_statistics.fetch_bytes recent_request_statistics.request_count idle_duration open_time
f	cluster connections list	--limit	the most connections to list	-
c	cluster config	get	Print a config of brokers, or a property of a Redpanda cluster
c	cluster config	set	Set configs of brokers while they run, or properties of a Redpanda cluster
c	cluster config	list,ls	List the configs of brokers, or the properties of a Redpanda cluster
c	cluster config	export	Write the properties of the cluster to a YAML file
c	cluster config	import	Make the properties of the cluster those of a YAML file
c	cluster config	edit	Edit the properties of the cluster in an editor
c	cluster config	status	Show the version of the configuration on each broker, and who needs a restart
c	cluster config	lint	Remove properties of the cluster from the configuration file of a broker
c	cluster config	force-reset	Remove properties from a stopped broker's cache of the cluster configuration
f	cluster config get	--broker,-b	only on this broker	@brokers
f	cluster config get	--default	the default that is set for the whole cluster
f	cluster config get	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
o	cluster config get	0		@configs
f	cluster config set	--broker,-b	only on this broker	@brokers
f	cluster config set	--reset	remove the value
f	cluster config set	--force	set a key that brokers do not list, for example of a plugin
f	cluster config set	--wait,-w	wait until every broker has the change
f	cluster config set	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster config set	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	cluster config set	--dry-run	show what would change without changing it
o	cluster config set	0		@configs
f	cluster config list	--broker,-b	only the configs of this broker	@brokers
f	cluster config list	--default	the defaults that are set for the whole cluster
f	cluster config list	--all	include built-in defaults
f	cluster config list	--filter	only those whose name matches this regular expression anywhere	-
f	cluster config list	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	cluster config export	--file,-f	file to write; "-": standard output (default)	@files
f	cluster config export	--all	include tunable properties
f	cluster config import	--file,-f	file to read, as cluster config export writes it; "-": standard input	@files
f	cluster config import	--all	also reset tunable properties that are missing in the file
f	cluster config import	--wait,-w	wait until every broker has the change
f	cluster config import	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster config import	--dry-run	show what would change without changing it
f	cluster config edit	--all	include tunable properties
f	cluster config edit	--wait,-w	wait until every broker has the change
f	cluster config edit	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster config edit	--dry-run	show what would change without changing it
f	cluster config status	--wait,-w	wait until every broker has the latest version
f	cluster config status	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster config lint	--dry-run	show what would change without changing it
f	cluster config force-reset	--cache-file	the broker's cache of the configuration	@files
f	cluster config force-reset	--dry-run	show what would change without changing it
c	cluster quotas	describe	Describe client quotas
c	cluster quotas	alter	Set and remove client quotas of an entity
c	cluster quotas	import	Replace all client quotas with those of a file
f	cluster quotas describe	--name	entities of this type and name	,-
f	cluster quotas describe	--default	the default entity of this type	,client-id user ip
f	cluster quotas describe	--any	entities of this type, with any name or the default	,client-id user ip
f	cluster quotas describe	--strict	leave out entities that have parts of other types
f	cluster quotas alter	--name	type and name of the entity; types are client-id, client-id-prefix, user and ip	,-
f	cluster quotas alter	--default	the default entity of this type	,client-id user ip
f	cluster quotas alter	--add	quota to set	,-
f	cluster quotas alter	--delete	key of a quota to remove	,-
f	cluster quotas alter	--dry-run	show what would change without changing it
f	cluster quotas import	--from	file, "-" for standard input, or the text itself	-
f	cluster quotas import	--dry-run	show what would change without changing it
c	cluster license	info,status	Show the license of the cluster and the features that need it
c	cluster license	set	Load a license into the cluster
f	cluster license set	--file	file with the license, or "-" for standard input	@files
f	cluster license set	--dry-run	show what would change without changing it
c	cluster brokers	list,ls	List the brokers of the Admin API with their membership
c	cluster brokers	decommission	Move all replicas away from a broker, then remove it from the cluster
c	cluster brokers	decommission-status	Show how far the decommission of a broker is
c	cluster brokers	recommission	Stop the decommission of a broker, so that it stays in the cluster
f	cluster brokers list	--include-decommissioned,-d	include brokers that have left the cluster
f	cluster brokers decommission	--wait,-w	wait until the broker has left the cluster
f	cluster brokers decommission	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster brokers decommission	--force	decommission although this broker or another one is down
f	cluster brokers decommission	--dry-run	show what would change without changing it
o	cluster brokers decommission	0		@admin-brokers
f	cluster brokers decommission-status	--detailed,-d	show bytes moved and remaining in text
f	cluster brokers decommission-status	--human-readable,-H	print sizes like 1.7GB in text
f	cluster brokers decommission-status	--wait,-w	wait until the broker has left the cluster
f	cluster brokers decommission-status	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
o	cluster brokers decommission-status	0		@admin-brokers
f	cluster brokers recommission	--dry-run	show what would change without changing it
o	cluster brokers recommission	0		@admin-brokers
c	cluster maintenance	enable	Turn the maintenance mode of a broker on: it hands over all leaderships
c	cluster maintenance	disable	Turn the maintenance mode of a broker off
c	cluster maintenance	status	Show the maintenance mode of every broker
f	cluster maintenance enable	--wait,-w	wait until the broker leads no partition that another one can lead
f	cluster maintenance enable	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster maintenance enable	--dry-run	show what would change without changing it
o	cluster maintenance enable	0		@admin-brokers
f	cluster maintenance disable	--dry-run	show what would change without changing it
o	cluster maintenance disable	0		@admin-brokers
f	cluster restart-check	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	cluster restart-check	--after	wait until every replica of the broker is in sync
f	cluster restart-check	--wait-timeout	maximum time to wait, with --after (default: no limit)	-
f	cluster restart-check	--ignore-rf1	list partitions with one replica, but do not count them as a risk
o	cluster restart-check	0		@brokers
c	cluster upgrade	status	Show whether an upgrade waits to be finalized
c	cluster upgrade	finalize	Commit the cluster to the release that all its brokers run
f	cluster upgrade finalize	--dry-run	show what would change without changing it
c	cluster logdirs	describe	Describe the size of partitions, topics, directories or brokers on disk
f	cluster logdirs describe	--broker,-b	id of the broker to describe; -1 means all brokers	@brokers
f	cluster logdirs describe	--topics	only these topics, separated by commas	,@topics
f	cluster logdirs describe	--aggregate-into	what each row stands for	partition topic dir broker
f	cluster logdirs describe	--sort-by-size	sort by size, largest first
f	cluster logdirs describe	--human-readable,-H	print sizes like 1.7GB in text
c	cluster loggers	list,ls	List the loggers of a broker, with their levels
c	cluster loggers	get	Show the level of loggers of a broker, and when it expires
c	cluster loggers	set	Change the level of loggers of a broker
f	cluster loggers list	--broker,-b	id of the broker	@brokers
f	cluster loggers list	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	cluster loggers get	--broker,-b	id of the broker	@brokers
f	cluster loggers get	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	cluster loggers set	--broker,-b	id of the broker	@brokers
f	cluster loggers set	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	cluster loggers set	--level,-l	the new level	error warn info debug trace
f	cluster loggers set	--expiry-seconds,-e	seconds until the level goes back to its default; 0: until a restart (default on Redpanda: 300)	-
f	cluster loggers set	--dry-run	show what would change without changing it
c	cluster self-test	start	Start a self-test: measure disks, network and object storage under load
c	cluster self-test	status	Show the running self-test, or the results of the last one
c	cluster self-test	stop	Stop the running self-test on all brokers
f	cluster self-test start	--disk-duration-ms	duration of each disk test in milliseconds	-
f	cluster self-test start	--network-duration-ms	duration of each network test in milliseconds	-
f	cluster self-test start	--cloud-timeout-ms	timeout of requests to object storage in milliseconds	-
f	cluster self-test start	--cloud-backoff-ms	pause before such a request is retried, in milliseconds	-
f	cluster self-test start	--participant-node-ids	ids of the brokers that take part (default: all)	,@admin-brokers
f	cluster self-test start	--only-disk-test	only test disks
f	cluster self-test start	--only-network-test	only test the network
f	cluster self-test start	--only-cloud-test	only test object storage
f	cluster self-test start	--wait,-w	wait until all brokers are done
f	cluster self-test start	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster self-test start	--dry-run	show what would change without changing it
f	cluster self-test status	--wait,-w	wait until no broker is testing
f	cluster self-test status	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster self-test stop	--dry-run	show what would change without changing it
c	cluster partitions	list,ls,describe	List partitions with their leaders and replicas
c	cluster partitions	move	Move the replicas of partitions to other brokers or cores
c	cluster partitions	move-status	Show the partitions that are being moved, and how far they are
c	cluster partitions	move-cancel,alter-cancel,movement-cancel	Cancel the moves of partitions in progress
c	cluster partitions	enable	Enable partitions that were disabled
c	cluster partitions	disable	Disable partitions: nobody can read or write them
c	cluster partitions	balance	Balance the partitions over the brokers now
c	cluster partitions	balancer-status	Show what the partition balancer does
c	cluster partitions	transfer-leadership	Make another replica the leader of a partition
c	cluster partitions	unsafe-recover	Recover partitions that have lost most of their replicas, and lose data
f	cluster partitions list	--all,-a	list the partitions of all topics, including internal ones
f	cluster partitions list	--disabled-only	list only disabled partitions
f	cluster partitions list	--partitions,-p	list only these partitions, separated by commas	,-
f	cluster partitions list	--node-ids,-n	list only partitions with a replica on each of these brokers	,@admin-brokers
o	cluster partitions list	*		@admin-topics
f	cluster partitions move	--partition,-p	partition and its brokers, as in 0:1,2,3	-
f	cluster partitions move	--wait,-w	wait until the partitions are there
f	cluster partitions move	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster partitions move	--dry-run	show what would change without changing it
o	cluster partitions move	*		@admin-topics
f	cluster partitions move-status	--print-all,-a	also print what each broker does
f	cluster partitions move-status	--human-readable,-H	print sizes like 1.7GB in text
f	cluster partitions move-status	--partitions,-p	partitions of the TOPICs, separated by commas (default: all)	,-
f	cluster partitions move-status	--wait,-w	wait until no listed partition is being moved
f	cluster partitions move-status	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
o	cluster partitions move-status	*		@admin-topics
f	cluster partitions move-cancel	--node	id of a broker: only the moves to or from it	@admin-brokers
f	cluster partitions move-cancel	--dry-run	show what would change without changing it
f	cluster partitions enable	--all,-a	all partitions of TOPIC
f	cluster partitions enable	--partitions,-p	partitions of TOPIC as in 0,1, or of another topic as in orders/0,1	-
f	cluster partitions enable	--dry-run	show what would change without changing it
o	cluster partitions enable	0		@admin-topics
f	cluster partitions disable	--all,-a	all partitions of TOPIC
f	cluster partitions disable	--partitions,-p	partitions of TOPIC as in 0,1, or of another topic as in orders/0,1	-
f	cluster partitions disable	--dry-run	show what would change without changing it
o	cluster partitions disable	0		@admin-topics
f	cluster partitions balance	--dry-run	show what would change without changing it
f	cluster partitions transfer-leadership	--partition,-p	partition and its new leader, as in 0:2	-
f	cluster partitions transfer-leadership	--dry-run	show what would change without changing it
o	cluster partitions transfer-leadership	0		@admin-topics
f	cluster partitions unsafe-recover	--from-nodes	ids of the lost brokers, separated by commas	,@admin-brokers
f	cluster partitions unsafe-recover	--force	recover although a broker is alive or not known to the cluster
f	cluster partitions unsafe-recover	--dry-run	show what would change without changing it
c	cluster storage	list-mountable	List the topics in object storage that can be mounted
c	cluster storage	mount	Mount a topic that is in object storage, so that clients can use it
c	cluster storage	unmount	Unmount a topic: keep its records in object storage only
c	cluster storage	list-mount,list-unmount	List mounts and unmounts with their states
c	cluster storage	status-mount,status-unmount	Show how far a mount or unmount is
c	cluster storage	cancel-mount,cancel-unmount	Cancel a mount or unmount that has not finished
c	cluster storage	restore,recovery	Restore a whole cluster from object storage
f	cluster storage mount	--to	name of the topic in this cluster (default: the name that it has)	-
f	cluster storage mount	--wait,-w	wait until the topic is mounted
f	cluster storage mount	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster storage mount	--dry-run	show what would change without changing it
o	cluster storage mount	0		@mountable-topics
f	cluster storage unmount	--wait,-w	wait until the topic is unmounted
f	cluster storage unmount	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster storage unmount	--dry-run	show what would change without changing it
o	cluster storage unmount	0		@admin-topics
f	cluster storage list-mount	--filter,-f	only those in this state, for example planned or finished	all planned preparing prepared executing executed cut_over finished canceling cancelled deleted
f	cluster storage status-mount	--wait,-w	wait until it is finished
f	cluster storage status-mount	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
o	cluster storage status-mount	0		@migrations
f	cluster storage cancel-mount	--wait,-w	wait until it is canceled
f	cluster storage cancel-mount	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster storage cancel-mount	--dry-run	show what would change without changing it
o	cluster storage cancel-mount	0		@migrations
c	cluster storage restore	start	Restore the cluster from object storage
c	cluster storage restore	status	Show how far a restore is
f	cluster storage restore start	--wait,-w	wait until the restore is done
f	cluster storage restore start	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	cluster storage restore start	--cluster-uuid	UUID of the cluster to restore (default: the last one in the bucket; Redpanda 25.3.3 or newer)	-
f	cluster storage restore start	--dry-run	show what would change without changing it
f	cluster storage restore status	--wait,-w	wait until no restore is running
f	cluster storage restore status	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
c	cluster iceberg	status	Check the Iceberg catalog and how far topics are committed to it
o	cluster iceberg status	*		@admin-topics
c	cluster txn	list,ls	List transactional ids with their coordinators and states
c	cluster txn	describe	Describe transactional ids and their open transactions
c	cluster txn	describe-producers	Describe the producers that partitions remember
c	cluster txn	find-hanging	Find transactions that will never end by themselves
c	cluster txn	abort	Abort an open transaction on a partition
f	cluster txn list	--state	only these states, for example Ongoing,PrepareCommit	,Empty Ongoing PrepareCommit PrepareAbort CompleteCommit CompleteAbort Dead PrepareEpochFence
f	cluster txn list	--older-than	only transactions that have been open for longer	-
f	cluster txn describe	--print-partitions,-p	print the partitions of each topic
f	cluster txn describe-producers	--topics,-t	topics to describe, separated by commas	,@topics
f	cluster txn describe-producers	--partitions,-p	only these partitions (default: all)	,-
f	cluster txn describe-producers	--all,-a	describe all topics
f	cluster txn find-hanging	--topics,-t	only these topics (default: all)	,@topics
f	cluster txn find-hanging	--partitions,-p	only these partitions (default: all)	,-
f	cluster txn find-hanging	--max-transaction-timeout	longest transaction timeout in use; younger transactions are not checked	-
f	cluster txn abort	--partition,-p	partition of the transaction	-
f	cluster txn abort	--start-offset	offset of the first record of the transaction	-
f	cluster txn abort	--producer-id	id of the producer of the transaction	-
f	cluster txn abort	--dry-run	show what would change without changing it
o	cluster txn abort	0		@topics
c	cluster auth	login	Get a new OAuth token for the cluster and keep it
c	cluster auth	logout	Remove the OAuth token that is kept for the cluster
c	cluster auth	status	Show how weir signs in to the cluster with OAuth, and the token that is kept
f	cluster auth login	--browser,--no-browser	open a browser; --no-browser only prints the address
f	cluster auth login	--dry-run	show what would change without changing it
f	cluster auth logout	--all,-a	remove the tokens of all clusters
f	cluster auth logout	--dry-run	show what would change without changing it
c	shadow	config	Make the configuration file of a shadow link
c	shadow	create	Create a shadow link, which copies topics from another cluster
c	shadow	list,ls	List the shadow links of the cluster
c	shadow	describe	Show the configuration of a shadow link
c	shadow	status	Show what a shadow link copies, and how far it is behind
c	shadow	update	Change the configuration of a shadow link
c	shadow	failover	Make topics of a shadow link writable, and end their copying
c	shadow	delete	Delete a shadow link
c	shadow config	generate	Print a configuration file for a shadow link, with comments
f	shadow config generate	--output,-o	write the configuration to this new file	@files
f	shadow create	--config-file,-c	configuration of the link, in YAML or JSON; "-": standard input	@files
f	shadow create	--dry-run	show what would change without changing it
f	shadow describe	--print-overview,-o	print the name and the state
f	shadow describe	--print-client,-c	print client_options
f	shadow describe	--print-topic,-t	print topic_metadata_sync_options
f	shadow describe	--print-consumer,-r	print consumer_offset_sync_options
f	shadow describe	--print-security,-s	print security_sync_options
f	shadow describe	--print-registry,-y	print schema_registry_sync_options
f	shadow describe	--print-role	print role_sync_options
f	shadow describe	--print-all,-a	print everything (default)
o	shadow describe	0		@shadow-links
f	shadow status	--watch,-w	print the status again every 2s
f	shadow status	--print-overview,-o	print the name and the state
f	shadow status	--print-task,-k	print the tasks
f	shadow status	--print-topic,-t	print the topics
f	shadow status	--print-registry,-y	print how far the schema registry is copied
f	shadow status	--print-all,-a	print everything (default)
o	shadow status	0		@shadow-links
f	shadow update	--config-file,-c	new configuration of the link, in YAML or JSON; "-": standard input (default: an editor)	@files
f	shadow update	--dry-run	show what would change without changing it
o	shadow update	0		@shadow-links
f	shadow failover	--all	fail over all topics of the link
f	shadow failover	--topic	fail over this topic	-
f	shadow failover	--wait,-w	wait until the topics are failed over
f	shadow failover	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	shadow failover	--dry-run	show what would change without changing it
o	shadow failover	0		@shadow-links
f	shadow delete	--force,-f	delete the link although it still copies topics
f	shadow delete	--dry-run	show what would change without changing it
o	shadow delete	0		@shadow-links
f	top	--interval	time between two rounds of requests (default 2s)	-
f	top	--once	print one reading and exit
f	top	--filter	show only topics and groups whose names contain TEXT, in any case	-
f	top	--internal,-i	show internal topics as well
c	debug	remote-bundle	Collect a debug bundle on every broker, and download it
c	debug remote-bundle	start	Start to collect a debug bundle on every broker
c	debug remote-bundle	status	Show the last debug bundle of every broker
c	debug remote-bundle	download	Download the finished debug bundles into one ZIP file
c	debug remote-bundle	cancel	Stop the brokers that are collecting a debug bundle
f	debug remote-bundle start	--controller-logs-size-limit	maximum size of the logs of the controller (server default: 132MB)	-
f	debug remote-bundle start	--cpu-profiler-wait	how long to sample the CPU, from 15s (server default: 30s)	-
f	debug remote-bundle start	--logs-since	include logs from this time on: 2026-01-31, 6h (before now), yesterday, ... (server default: yesterday)	-
f	debug remote-bundle start	--logs-until	include logs until this time	-
f	debug remote-bundle start	--logs-size-limit	maximum size of the logs (server default: 100MiB)	-
f	debug remote-bundle start	--metrics-interval	time between two samples of the metrics (server default: 10s)	-
f	debug remote-bundle start	--metrics-samples	number of samples of the metrics, from 2 (server default: 2)	-
f	debug remote-bundle start	--partition,-p	include the state of these partitions, for example orders/0,1	-
f	debug remote-bundle start	--namespace,-n	namespace of the pods in Kubernetes (server default: redpanda)	-
f	debug remote-bundle start	--label-selector,-l	label of the pods in Kubernetes	-
f	debug remote-bundle start	--job-id	id of the job (default: a new one)	-
f	debug remote-bundle start	--broker	only these brokers (default: all)	,@admin-brokers
f	debug remote-bundle start	--wait,-w	wait until no broker is collecting its bundle any more
f	debug remote-bundle start	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	debug remote-bundle start	--dry-run	show what would change without changing it
f	debug remote-bundle status	--job-id	id of the job (default: the last one of each broker)	@bundle-jobs
f	debug remote-bundle status	--broker	only these brokers (default: all)	,@admin-brokers
f	debug remote-bundle status	--wait,-w	wait until no broker is collecting its bundle any more
f	debug remote-bundle status	--wait-timeout	maximum time to wait, with --wait (default: 90m)	-
f	debug remote-bundle download	--output,-o	the new file (default: SECONDS-remote-bundle.zip in the working directory)	@files
f	debug remote-bundle download	--job-id	id of the job (default: that of all finished bundles)	@bundle-jobs
f	debug remote-bundle download	--broker	only these brokers (default: all)	,@admin-brokers
f	debug remote-bundle cancel	--job-id	cancel only this job (default: every job)	@bundle-jobs
f	debug remote-bundle cancel	--broker	only these brokers (default: all)	,@admin-brokers
f	debug remote-bundle cancel	--dry-run	show what would change without changing it
c	cloud	login	Log in to the control plane
c	cloud	logout	Remove the token of the current login
c	cloud	auth	Manage the logins kept on this machine; print the token
c	cloud	cluster	Create, list, update, delete and select clusters
c	cloud	network	Create, list and delete networks
c	cloud	region	List the regions of cloud providers
c	cloud	resource-group,namespace,ns	Create, list and delete resource groups
c	cloud	operation	Show long-running operations and wait for them
c	cloud	resume	Finish an interrupted creation or deletion of a cluster
c	cloud	byoc	Run the plugin that manages a cluster in your own cloud account
c	cloud	user	Show the users of the organization
c	cloud	service-account	Create, list and delete accounts for programs
c	cloud	role-binding	Give roles to users and service accounts
f	cloud login	--save	also keep the client id and secret
f	cloud login	--client-secret-stdin	read the client secret from standard input
f	cloud login	--client-secret-file	read the client secret from a file	@files
f	cloud login	--browser,--no-browser	open a browser; --no-browser only prints the address
f	cloud login	--dry-run	show what would change without changing it
f	cloud logout	--clear-credentials,-c	also remove the client id and secret of the login
f	cloud logout	--all,-a	log out of all logins on this machine
f	cloud logout	--dry-run	show what would change without changing it
c	cloud auth	list,ls	List the logins kept on this machine
c	cloud auth	use	Select the login that commands use
c	cloud auth	delete	Delete a login with its token
c	cloud auth	token	Print the token that commands use
f	cloud auth use	--dry-run	show what would change without changing it
f	cloud auth delete	--dry-run	show what would change without changing it
c	cloud cluster	create	Create a cluster
c	cloud cluster	list,ls	List the clusters
c	cloud cluster	get	Show a cluster
c	cloud cluster	update	Change properties of a cluster
c	cloud cluster	delete	Delete a cluster
c	cloud cluster	select,use	Create a profile for a cluster and select it
f	cloud cluster create	--name	name of the cluster	-
f	cloud cluster create	--resource-group-id	resource group of the cluster (id or name)	@resource-groups
f	cloud cluster create	--network-id	network of the cluster (id or name)	@cloud-networks
f	cloud cluster create	--cloud-provider	cloud provider of the cluster	aws azure gcp
f	cloud cluster create	--connection-type	whether the cluster is reachable from the internet	public private
f	cloud cluster create	--region	region of the cloud provider	-
f	cloud cluster create	--throughput-tier	usage tier; the available tiers depend on region and type	-
f	cloud cluster create	--type	type of the cluster; byoc runs in your own cloud account	byoc dedicated
f	cloud cluster create	--zones	availability zones, separated by commas	,-
f	cloud cluster create	--set	property of the cluster; true and false are booleans, other values are text	-
f	cloud cluster create	--set-json	property whose value is JSON, for example a number	-
f	cloud cluster create	--file	request body as YAML or JSON, with or without its key (- for standard input); flags override it	@files
f	cloud cluster create	--apply	for BYOC: run the plugin in your own cloud account
f	cloud cluster create	--project-id	project for the plugin on gcp	-
f	cloud cluster create	--subscription-id	subscription for the plugin on azure	-
f	cloud cluster create	--wait,--no-wait	wait for completion; --no-wait prints the operation and returns
f	cloud cluster create	--wait-timeout	maximum time to wait	-
f	cloud cluster create	--dry-run	show what would change without changing it
f	cloud cluster list	--name-contains	list only those whose name contains this text	-
f	cloud cluster list	--resource-group-id	list only those of this resource group (id or name)	@resource-groups
f	cloud cluster list	--region	list only those in this region	-
o	cloud cluster get	0		@cloud-clusters
f	cloud cluster update	--set	property of the cluster; true and false are booleans, other values are text	-
f	cloud cluster update	--set-json	property whose value is JSON, for example a number	-
f	cloud cluster update	--file	request body as YAML or JSON, with or without its key (- for standard input); flags override it	@files
f	cloud cluster update	--wait,--no-wait	wait for completion; --no-wait prints the operation and returns
f	cloud cluster update	--wait-timeout	maximum time to wait	-
f	cloud cluster update	--dry-run	show what would change without changing it
o	cloud cluster update	0		@cloud-clusters
f	cloud cluster delete	--destroy	for BYOC: remove the agent from your own cloud account
f	cloud cluster delete	--project-id	project for the plugin on gcp	-
f	cloud cluster delete	--subscription-id	subscription for the plugin on azure	-
f	cloud cluster delete	--with-network	then delete its network
f	cloud cluster delete	--with-resource-group	then delete its resource group
f	cloud cluster delete	--wait,--no-wait	wait for completion; --no-wait prints the operation and returns
f	cloud cluster delete	--wait-timeout	maximum time to wait	-
f	cloud cluster delete	--dry-run	show what would change without changing it
o	cloud cluster delete	0		@cloud-clusters
f	cloud cluster select	--name	name of the profile (default: the name of the cluster)	-
f	cloud cluster select	--replace	replace an existing profile of that name
f	cloud cluster select	--dry-run	show what would change without changing it
o	cloud cluster select	0		@cloud-clusters
c	cloud network	create	Create a network for a cluster
c	cloud network	list,ls	List the networks
c	cloud network	get	Show a network
c	cloud network	delete	Delete a network
f	cloud network create	--name	name of the network	-
f	cloud network create	--resource-group-id	resource group of the network (id or name)	@resource-groups
f	cloud network create	--cidr-block	address range, for example 10.0.0.0/20; must not overlap another network	-
f	cloud network create	--cloud-provider	cloud provider of the network	aws azure gcp
f	cloud network create	--cluster-type	type of cluster that the network is for	byoc dedicated
f	cloud network create	--region	region of the cloud provider	-
f	cloud network create	--file	request body as YAML or JSON, with or without its key (- for standard input); flags override it	@files
f	cloud network create	--wait,--no-wait	wait for completion; --no-wait prints the operation and returns
f	cloud network create	--wait-timeout	maximum time to wait	-
f	cloud network create	--dry-run	show what would change without changing it
f	cloud network list	--name-contains	list only those whose name contains this text	-
f	cloud network list	--resource-group-id	list only those of this resource group (id or name)	@resource-groups
f	cloud network list	--region	list only those in this region	-
o	cloud network get	0		@cloud-networks
f	cloud network delete	--wait,--no-wait	wait for completion; --no-wait prints the operation and returns
f	cloud network delete	--wait-timeout	maximum time to wait	-
f	cloud network delete	--dry-run	show what would change without changing it
o	cloud network delete	0		@cloud-networks
c	cloud region	list,ls	List the regions where clusters and networks can be created
f	cloud region list	--cloud-provider	list only regions of this cloud provider	aws azure gcp
f	cloud region list	--cluster-type	list only regions that have clusters of this type	byoc dedicated
c	cloud resource-group	create	Create a resource group
c	cloud resource-group	list,ls	List the resource groups
c	cloud resource-group	get	Show a resource group
c	cloud resource-group	delete	Delete a resource group
f	cloud resource-group create	--file	request body as YAML or JSON, with or without its key (- for standard input); flags override it	@files
f	cloud resource-group create	--dry-run	show what would change without changing it
o	cloud resource-group get	0		@resource-groups
f	cloud resource-group delete	--dry-run	show what would change without changing it
o	cloud resource-group delete	0		@resource-groups
c	cloud operation	get	Show an operation
c	cloud operation	list,ls	List the operations, newest last
c	cloud operation	wait	Wait until an operation has completed
f	cloud operation list	--state	list only those in this state: in_progress, completed or failed	-
f	cloud operation list	--type	list only those of this type, for example create_cluster	,-
f	cloud operation list	--resource-id	list only those of this resource (id, or name of a cluster or network)	-
f	cloud operation wait	--wait-timeout	maximum time to wait	-
f	cloud resume	--destroy	run the plugin to remove the agent, without a prompt
f	cloud resume	--project-id	project for the plugin on gcp	-
f	cloud resume	--subscription-id	subscription for the plugin on azure	-
f	cloud resume	--wait-timeout	maximum time of each wait	-
f	cloud resume	--forget	forget it instead of resuming it; completed steps are not undone
f	cloud resume	--dry-run	show what would change without changing it
c	cloud byoc	aws	Run the plugin on AWS
c	cloud byoc	azure	Run the plugin on Azure
c	cloud byoc	gcp	Run the plugin on Google Cloud
c	cloud byoc	install	Download the plugin that a BYOC cluster needs
c	cloud byoc	uninstall	Remove all plugins that weir downloaded
c	cloud byoc aws	apply	Install the agent of a BYOC cluster on AWS
c	cloud byoc aws	destroy	Remove the agent of a BYOC cluster from AWS
c	cloud byoc aws	validate	Check whether a BYOC cluster can be created on AWS
f	cloud byoc aws apply	--cluster-id	id or name of the cluster (required)	@cloud-clusters
f	cloud byoc aws apply	--dry-run	show what would change without changing it
f	cloud byoc aws destroy	--cluster-id	id or name of the cluster (required)	@cloud-clusters
f	cloud byoc aws destroy	--force	also if the cluster is not in the state deleting-agent
f	cloud byoc aws destroy	--dry-run	show what would change without changing it
f	cloud byoc aws validate	--cluster-id	use the plugin of this cluster instead of the newest one	@cloud-clusters
c	cloud byoc azure	apply	Install the agent of a BYOC cluster on Azure
c	cloud byoc azure	destroy	Remove the agent of a BYOC cluster from Azure
c	cloud byoc azure	validate	Check whether a BYOC cluster can be created on Azure
f	cloud byoc azure apply	--cluster-id	id or name of the cluster (required)	@cloud-clusters
f	cloud byoc azure apply	--subscription-id	subscription that the cluster runs in (required)	-
f	cloud byoc azure apply	--dry-run	show what would change without changing it
f	cloud byoc azure destroy	--cluster-id	id or name of the cluster (required)	@cloud-clusters
f	cloud byoc azure destroy	--subscription-id	subscription that the cluster runs in	-
f	cloud byoc azure destroy	--force	also if the cluster is not in the state deleting-agent
f	cloud byoc azure destroy	--dry-run	show what would change without changing it
f	cloud byoc azure validate	--cluster-id	use the plugin of this cluster instead of the newest one	@cloud-clusters
f	cloud byoc azure validate	--subscription-id	subscription that the cluster runs in	-
c	cloud byoc gcp	apply	Install the agent of a BYOC cluster on Google Cloud
c	cloud byoc gcp	destroy	Remove the agent of a BYOC cluster from Google Cloud
c	cloud byoc gcp	validate	Check whether a BYOC cluster can be created on Google Cloud
f	cloud byoc gcp apply	--cluster-id	id or name of the cluster (required)	@cloud-clusters
f	cloud byoc gcp apply	--project-id	project that the cluster runs in (required)	-
f	cloud byoc gcp apply	--dry-run	show what would change without changing it
f	cloud byoc gcp destroy	--cluster-id	id or name of the cluster (required)	@cloud-clusters
f	cloud byoc gcp destroy	--project-id	project that the cluster runs in (required)	-
f	cloud byoc gcp destroy	--force	also if the cluster is not in the state deleting-agent
f	cloud byoc gcp destroy	--dry-run	show what would change without changing it
f	cloud byoc gcp validate	--cluster-id	use the plugin of this cluster instead of the newest one	@cloud-clusters
f	cloud byoc gcp validate	--project-id	project that the cluster runs in	-
f	cloud byoc install	--cluster-id	id or name of the cluster	@cloud-clusters
f	cloud byoc install	--dry-run	show what would change without changing it
f	cloud byoc uninstall	--dry-run	show what would change without changing it
c	cloud user	list,ls	List the users of the organization
c	cloud user	get	Show a user
c	cloud service-account	create	Create an account for a program and show its secret
c	cloud service-account	list,ls	List the service accounts
c	cloud service-account	get	Show a service account
c	cloud service-account	delete	Delete a service account
f	cloud service-account create	--name	name of the service account	-
f	cloud service-account create	--description	description of the service account	-
f	cloud service-account create	--file	request body as YAML or JSON, with or without its key (- for standard input); flags override it	@files
f	cloud service-account create	--save-profile	save the credentials in this profile, which is created if it does not exist	-
f	cloud service-account create	--dry-run	show what would change without changing it
f	cloud service-account delete	--dry-run	show what would change without changing it
c	cloud role-binding	create	Give an account a role on a resource
c	cloud role-binding	list,ls	List the role bindings
c	cloud role-binding	get	Show a role binding
c	cloud role-binding	delete	Take a role away from an account
f	cloud role-binding create	--role-name	role of the account	Reader Writer Admin
f	cloud role-binding create	--account-id	user or service account (id or name)	-
f	cloud role-binding create	--resource-id	resource that the role applies to (id or name)	-
f	cloud role-binding create	--resource-type	type of the resource: cluster, resource-group, network, serverless-cluster, organization	cluster resource-group network serverless-cluster organization
f	cloud role-binding create	--file	request body as YAML or JSON, with or without its key (- for standard input); flags override it	@files
f	cloud role-binding create	--dry-run	show what would change without changing it
f	cloud role-binding list	--role-name	list only those of this role	-
f	cloud role-binding list	--resource-type	list only those for this type of resource: cluster, resource-group, network, serverless-cluster, organization	cluster resource-group network serverless-cluster organization
f	cloud role-binding delete	--dry-run	show what would change without changing it
f	diff	--prune	delete what the files own (owns) and do not name
f	diff	--max-deletes	the most that may be deleted (default: 5)	-
f	diff	--strict	unset configs that are set on the cluster and not in the files
f	diff	--force	delete topics that are read, and end your own user or right to alter the cluster
f	diff	--rotate	users whose passwords are set again	,-
f	diff	--allow	also change configs of the whole cluster (cluster_configs)	,cluster
f	diff	--verify-passwords	sign in with the passwords of the files, and set those that are other ones
f	diff	--profile	profile to use; with several, one cluster after the other	@profiles
f	diff	--out,-o	write the plan to this file; only another plan is replaced	@files
f	diff	--report	also write the differences as Markdown to this file, which is replaced	@files
o	diff	*		@files
f	apply	--prune	delete what the files own (owns) and do not name
f	apply	--max-deletes	the most that may be deleted (default: 5)	-
f	apply	--strict	unset configs that are set on the cluster and not in the files
f	apply	--force	delete topics that are read, and end your own user or right to alter the cluster
f	apply	--rotate	users whose passwords are set again	,-
f	apply	--allow	also change configs of the whole cluster (cluster_configs)	,cluster
f	apply	--verify-passwords	sign in with the passwords of the files, and set those that are other ones
f	apply	--profile	profile to use; with several, one cluster after the other	@profiles
f	apply	--dry-run	show what would change without changing it
o	apply	*		@files
f	export	--owns	names, or beginnings of names with a "*" at the end	,-
f	export	--split	write a file for each kind into this folder	@directories
f	export	--profile	profile to use	@profiles
f	import	--owns	names, or beginnings of names with a "*" at the end	,-
f	import	--split	write a file for each kind into this folder	@directories
o	import	*		@files
c	security	acl	Manage who may do what (access control lists)
c	security	user	Manage users that log in with SCRAM
c	security	role,access,roles	Manage roles: permissions that users share (Redpanda)
c	security	secret	Manage the secrets of a cluster of Redpanda Cloud
c	security	whoami	Show the user that weir signs in to the Admin API with, and its roles
c	security acl	create	Create ACLs, which allow or deny principals operations on resources
c	security acl	list,ls,describe	List all ACLs, or those that match a filter
c	security acl	delete	Delete the ACLs that match a filter
c	security acl	explain	Say whether a principal may do something, and by which rule
f	security acl create	--allow-principal	principals that are allowed; "*" is every user	,@users
f	security acl create	--deny-principal	principals that are denied; "*" is every user	,@users
f	security acl create	--allow-role	roles (Redpanda) that are allowed	,@roles
f	security acl create	--deny-role	roles (Redpanda) that are denied	,@roles
f	security acl create	--allow-host	IP addresses that the allowed principals connect from (default: *)	,-
f	security acl create	--deny-host	IP addresses that the denied principals connect from (default: *)	,-
f	security acl create	--operation	operations to allow or deny	,all read write create delete alter describe cluster_action describe_configs alter_configs idempotent_write create_tokens describe_tokens two_phase_commit
f	security acl create	--topic	topics; "*" is every topic	,@topics
f	security acl create	--group	groups; "*" is every group	,@groups
f	security acl create	--transactional-id	transactional ids; "*" is every one	,-
f	security acl create	--cluster	the cluster itself
f	security acl create	--delegation-token	ids of delegation tokens; "*" is every one	,-
f	security acl create	--user-principal	users whose delegation tokens others may create or describe	,@users
f	security acl create	--registry-global	the schema registry as a whole (Redpanda 25.2 or newer)
f	security acl create	--registry-subject	subjects of the schema registry (Redpanda 25.2 or newer); "*" is every subject	,@subjects
f	security acl create	--resource-pattern-type	whether the names are whole names (literal) or prefixes (prefixed)	literal prefixed
f	security acl create	--dry-run	show what would change without changing it
f	security acl list	--allow-principal	principals that are allowed; "*" is every user	,@users
f	security acl list	--deny-principal	principals that are denied; "*" is every user	,@users
f	security acl list	--allow-role	roles (Redpanda) that are allowed	,@roles
f	security acl list	--deny-role	roles (Redpanda) that are denied	,@roles
f	security acl list	--allow-host	IP addresses that the allowed principals connect from (default: *)	,-
f	security acl list	--deny-host	IP addresses that the denied principals connect from (default: *)	,-
f	security acl list	--operation	operations (default: any)	,any all read write create delete alter describe cluster_action describe_configs alter_configs idempotent_write create_tokens describe_tokens two_phase_commit
f	security acl list	--topic	topics; "*" is every topic	,@topics
f	security acl list	--group	groups; "*" is every group	,@groups
f	security acl list	--transactional-id	transactional ids; "*" is every one	,-
f	security acl list	--cluster	the cluster itself
f	security acl list	--delegation-token	ids of delegation tokens; "*" is every one	,-
f	security acl list	--user-principal	users whose delegation tokens others may create or describe	,@users
f	security acl list	--registry-global	the schema registry as a whole (Redpanda 25.2 or newer)
f	security acl list	--registry-subject	subjects of the schema registry (Redpanda 25.2 or newer); "*" is every subject	,@subjects
f	security acl list	--resource-pattern-type	how names are compared: any, match, literal or prefixed	any match literal prefixed
f	security acl list	--print-filters,-f	print the filters that the flags describe
f	security acl list	--subsystem	only the ACLs of the brokers (kafka), or of the schema registry (registry)	,kafka registry
f	security acl delete	--allow-principal	principals that are allowed; "*" is every user	,@users
f	security acl delete	--deny-principal	principals that are denied; "*" is every user	,@users
f	security acl delete	--allow-role	roles (Redpanda) that are allowed	,@roles
f	security acl delete	--deny-role	roles (Redpanda) that are denied	,@roles
f	security acl delete	--allow-host	IP addresses that the allowed principals connect from (default: *)	,-
f	security acl delete	--deny-host	IP addresses that the denied principals connect from (default: *)	,-
f	security acl delete	--operation	operations (default: any)	,any all read write create delete alter describe cluster_action describe_configs alter_configs idempotent_write create_tokens describe_tokens two_phase_commit
f	security acl delete	--topic	topics; "*" is every topic	,@topics
f	security acl delete	--group	groups; "*" is every group	,@groups
f	security acl delete	--transactional-id	transactional ids; "*" is every one	,-
f	security acl delete	--cluster	the cluster itself
f	security acl delete	--delegation-token	ids of delegation tokens; "*" is every one	,-
f	security acl delete	--user-principal	users whose delegation tokens others may create or describe	,@users
f	security acl delete	--registry-global	the schema registry as a whole (Redpanda 25.2 or newer)
f	security acl delete	--registry-subject	subjects of the schema registry (Redpanda 25.2 or newer); "*" is every subject	,@subjects
f	security acl delete	--resource-pattern-type	how names are compared: any, match, literal or prefixed	any match literal prefixed
f	security acl delete	--all	delete all ACLs of the cluster and of its schema registry
f	security acl delete	--print-filters,-f	print the filters that the flags describe
f	security acl delete	--dry-run,-d	show what would change without changing it
f	security acl explain	--host	IP address that the principal connects from (default: one that no ACL names)	-
f	security acl explain	--super-user	principals that the brokers have in super.users	,@users
f	security acl explain	--allow-everyone-if-no-acl-found	whether the brokers have this setting	true false
o	security acl explain	0		@users
o	security acl explain	1		read write create delete alter describe cluster_action describe_configs alter_configs idempotent_write create_tokens describe_tokens two_phase_commit
c	security user	create	Create a user with a password (SCRAM)
c	security user	list,ls	List users (SCRAM)
c	security user	update	Set the password of a user (SCRAM)
c	security user	delete	Delete users (SCRAM)
f	security user create	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	security user create	--password-stdin	read the password from standard input
f	security user create	--password-file	read the password from FILE	@files
f	security user create	--generate-password	generate a password of 30 letters and digits, and print it
f	security user create	--mechanism	mechanisms that the user may log in with (default: SCRAM-SHA-256)	,SCRAM-SHA-256 SCRAM-SHA-512
f	security user create	--iterations	how often the password is hashed, from 4096 to 16384: more is safer and makes each login slower	-
f	security user create	--dry-run	show what would change without changing it
f	security user list	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
o	security user list	*		@users
f	security user update	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	security user update	--password-stdin	read the password from standard input
f	security user update	--password-file	read the password from FILE	@files
f	security user update	--generate-password	generate a password of 30 letters and digits, and print it
f	security user update	--mechanism	mechanisms to set the password for (default: those that the user has)	,SCRAM-SHA-256 SCRAM-SHA-512
f	security user update	--iterations	how often the password is hashed, from 4096 to 16384: more is safer and makes each login slower	-
f	security user update	--dry-run	show what would change without changing it
o	security user update	0		@users
f	security user delete	--api	API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)	kafka admin
f	security user delete	--mechanism	mechanisms to delete (default: all)	,SCRAM-SHA-256 SCRAM-SHA-512
f	security user delete	--if-exists	succeed if it does not exist
f	security user delete	--dry-run	show what would change without changing it
o	security user delete	*		@users
c	security role	create	Create a role
c	security role	list,ls	List the roles of the cluster
c	security role	describe,info	Show the permissions and the members of a role
c	security role	assign,add	Assign a role to users and groups
c	security role	unassign,remove	Take a role from users and groups
c	security role	delete	Delete a role and its ACLs
f	security role create	--dry-run	show what would change without changing it
f	security role list	--prefix	only roles whose names begin with ROLE	@roles
f	security role list	--principal	only roles with this user, or Group:NAME, as a member	@users
f	security role describe	--print-permissions,-p	print only the permissions, or both with --print-members
f	security role describe	--print-members,-m	print only the members, or both with --print-permissions
f	security role describe	--print-all,-a	print both (default)
o	security role describe	0		@roles
f	security role assign	--principal	users, or Group:NAME, to assign the role to (required)	,@users
f	security role assign	--dry-run	show what would change without changing it
o	security role assign	0		@roles
f	security role unassign	--principal	users, or Group:NAME, to take the role from (required)	,@users
f	security role unassign	--dry-run	show what would change without changing it
o	security role unassign	0		@roles
f	security role delete	--keep-acls	keep the ACLs of the role
f	security role delete	--dry-run	show what would change without changing it
o	security role delete	0		@roles
c	security secret	create	Create a secret
c	security secret	list,ls	List the secrets of a cluster
c	security secret	update	Replace the value of a secret
c	security secret	delete	Delete a secret
f	security secret create	--name	name of the secret, such as DB_PASSWORD	-
f	security secret create	--scopes	where the secret may be used: redpanda_connect, redpanda_cluster	,redpanda-connect redpanda-cluster
f	security secret create	--value-stdin	read the value from standard input
f	security secret create	--value-file	read the value from FILE	@files
f	security secret create	--cluster	id or name of the cluster (default: the one that has the brokers of the profile)	@cloud-clusters
f	security secret create	--dry-run	show what would change without changing it
f	security secret list	--name-contains	list only those whose names have this in them	-
f	security secret list	--cluster	id or name of the cluster (default: the one that has the brokers of the profile)	@cloud-clusters
f	security secret update	--name	name of the secret, such as DB_PASSWORD	-
f	security secret update	--scopes	where the secret may be used instead	,redpanda-connect redpanda-cluster
f	security secret update	--value-stdin	read the value from standard input
f	security secret update	--value-file	read the value from FILE	@files
f	security secret update	--cluster	id or name of the cluster (default: the one that has the brokers of the profile)	@cloud-clusters
f	security secret update	--dry-run	show what would change without changing it
f	security secret delete	--name	name of the secret, such as DB_PASSWORD	-
f	security secret delete	--cluster	id or name of the cluster (default: the one that has the brokers of the profile)	@cloud-clusters
f	security secret delete	--dry-run	show what would change without changing it
c	registry	schema	Register, read, compare and delete schemas
c	registry	subject	List and delete subjects
c	registry	compatibility-level	Show, set and reset compatibility levels
c	registry	mode	Show, set and reset the modes of the registry and its subjects
c	registry	context	List and delete contexts
c	registry	copy	Copy subjects to another registry, with their ids
f	registry	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
c	registry schema	create	Register a schema as a new version of a subject
c	registry schema	get	Show a schema and where it is registered
c	registry schema	list,ls	List the versions of subjects
c	registry schema	diff	Show what changed between two versions of a subject
c	registry schema	example	Print a record that fits a schema
c	registry schema	check-compatibility	Check whether a schema is compatible with a version of a subject
c	registry schema	references	List the schemas that refer to a version of a subject
c	registry schema	delete	Delete a version of a subject
f	registry schema	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry schema create	--schema	file with the schema; - is standard input	@files
f	registry schema create	--type	type of the schema (default: by the ending of the file)	avro protobuf json
f	registry schema create	--references	what the schema refers to: NAME:SUBJECT:VERSION,... or a file with lines of NAME SUBJECT VERSION, or with a list in JSON or YAML	-
f	registry schema create	--normalize	ignore differences in layout when looking for the same schema
f	registry schema create	--id	schema id to use; only in mode IMPORT	-
f	registry schema create	--schema-version	version to use; only in mode IMPORT	-
f	registry schema create	--metadata,-p	property to store with the schema, if the registry supports that, for example owner=billing	-
f	registry schema create	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry schema create	--dry-run	show what would change without changing it
o	registry schema create	0		@subjects
f	registry schema get	--schema-version	version of the subject, or latest	-
f	registry schema get	--id	schema id	-
f	registry schema get	--schema	file with the schema to look for; - is standard input	@files
f	registry schema get	--type	type of the schema (default: by the ending of the file)	avro protobuf json
f	registry schema get	--references	what the schema refers to: NAME:SUBJECT:VERSION,... or a file with lines of NAME SUBJECT VERSION, or with a list in JSON or YAML	-
f	registry schema get	--normalize	with --schema: ignore differences in layout
f	registry schema get	--deleted	include deleted versions
f	registry schema get	--print-schema	print only the schema
f	registry schema get	--print-metadata	add a column with the metadata, which JSON always has
f	registry schema get	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
o	registry schema get	0		@subjects
f	registry schema list	--deleted	include deleted versions
f	registry schema list	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry schema list	--regex,-r	treat arguments as regular expressions that match whole names
o	registry schema list	*		@subjects
f	registry schema diff	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
o	registry schema diff	0		@subjects
f	registry schema example	--schema-version	version of the subject, or latest	-
f	registry schema example	--schema-type	full name of the Protobuf message, if the schema has several	-
f	registry schema example	--line	print the record on one line
f	registry schema example	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
o	registry schema example	0		@subjects
f	registry schema check-compatibility	--schema	file with the schema; - is standard input	@files
f	registry schema check-compatibility	--schema-version	version to compare with, or latest	-
f	registry schema check-compatibility	--type	type of the schema (default: by the ending of the file)	avro protobuf json
f	registry schema check-compatibility	--references	what the schema refers to: NAME:SUBJECT:VERSION,... or a file with lines of NAME SUBJECT VERSION, or with a list in JSON or YAML	-
f	registry schema check-compatibility	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
o	registry schema check-compatibility	0		@subjects
f	registry schema references	--schema-version	version of the subject, or latest	-
f	registry schema references	--deleted	include deleted versions
f	registry schema references	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
o	registry schema references	0		@subjects
f	registry schema delete	--schema-version	version to delete, or latest	-
f	registry schema delete	--permanent	remove the version for good
f	registry schema delete	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry schema delete	--dry-run	show what would change without changing it
o	registry schema delete	0		@subjects
c	registry subject	list,ls	List the subjects of the registry
c	registry subject	delete	Delete subjects with all their versions
f	registry subject	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry subject list	--deleted	include deleted subjects
f	registry subject list	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
o	registry subject list	*		@subjects
f	registry subject delete	--permanent	remove the subjects for good
f	registry subject delete	--regex,-r	treat arguments as regular expressions that match whole names
f	registry subject delete	--if-exists	succeed if it does not exist
f	registry subject delete	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry subject delete	--dry-run	show what would change without changing it
o	registry subject delete	*		@subjects
c	registry compatibility-level	get	Show compatibility levels
c	registry compatibility-level	set	Set compatibility levels
c	registry compatibility-level	reset	Remove the compatibility levels of subjects
f	registry compatibility-level	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry compatibility-level get	--global	include the global setting as well
f	registry compatibility-level get	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
o	registry compatibility-level get	*		@subjects
f	registry compatibility-level set	--level	level to set (default: the last argument)	BACKWARD BACKWARD_TRANSITIVE FORWARD FORWARD_TRANSITIVE FULL FULL_TRANSITIVE NONE
f	registry compatibility-level set	--global	include the global setting as well
f	registry compatibility-level set	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry compatibility-level set	--dry-run	show what would change without changing it
o	registry compatibility-level set	*		@subjects
f	registry compatibility-level reset	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry compatibility-level reset	--dry-run	show what would change without changing it
o	registry compatibility-level reset	*		@subjects
c	registry mode	get	Show the mode of the registry, or of subjects
c	registry mode	set	Set the mode of the registry, or of subjects
c	registry mode	reset	Remove the modes of subjects
f	registry mode	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry mode get	--global	include the global setting as well
f	registry mode get	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
o	registry mode get	*		@subjects
f	registry mode set	--mode	mode to set (default: the last argument)	READONLY READWRITE IMPORT FORWARD READONLY_OVERRIDE
f	registry mode set	--force	allow the mode IMPORT although schemas are registered
f	registry mode set	--global	include the global setting as well
f	registry mode set	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry mode set	--dry-run	show what would change without changing it
o	registry mode set	*		@subjects
f	registry mode reset	--schema-context	context of the subjects, for example .staging (default: as they are named)	-
f	registry mode reset	--dry-run	show what would change without changing it
o	registry mode reset	*		@subjects
c	registry context	list,ls	List contexts
c	registry context	delete	Delete a context
f	registry context delete	--dry-run	show what would change without changing it
f	registry copy	--regex,-r	treat subjects as regular expressions that match whole names
f	registry copy	--deleted	copy deleted versions, too; they are deleted in the destination
f	registry copy	--new-ids	let the destination assign ids and versions, which registries without the mode IMPORT need
f	registry copy	--dry-run	show what would change without changing it
c	profile	create	Create a profile and select it
c	profile	list,ls	List the profiles
c	profile	rename-to,rename	Rename a profile
c	profile	delete	Delete profiles
c	profile	use	Select a profile
c	profile	current	Print the name of the profile in use
c	profile	clear	Clear the selection of a profile
c	profile	prompt	Print the profile in use for a shell prompt
c	profile	set	Set options of a profile
c	profile	unset	Remove options from a profile
c	profile	edit	Edit a profile in an editor
c	profile	print	Print a profile as it is stored
c	profile	describe	Describe a profile: its purpose, place and options
c	profile	validate	Check the profile file and the profiles in it
f	profile create	--set,-s	option to set; the key of a secret without a value prompts for it	brokers= tls.enabled=true tls.enabled=false tls.insecure_skip_verify=true tls.insecure_skip_verify=false tls.ca=@files tls.cert=@files tls.key=@files tls.server_name= sasl.mechanism=SCRAM-SHA-256 sasl.mechanism=SCRAM-SHA-512 sasl.mechanism=PLAIN sasl.mechanism=OAUTHBEARER sasl.mechanism=AWS_MSK_IAM user= pass admin.hosts= admin.tls.enabled=true admin.tls.enabled=false admin.tls.insecure_skip_verify=true admin.tls.insecure_skip_verify=false admin.tls.ca=@files admin.tls.cert=@files admin.tls.key=@files admin.tls.server_name= admin.user= admin.pass admin.token registry.hosts= registry.tls.enabled=true registry.tls.enabled=false registry.tls.insecure_skip_verify=true registry.tls.insecure_skip_verify=false registry.tls.ca=@files registry.tls.cert=@files registry.tls.key=@files registry.tls.server_name= registry.user= registry.pass registry.token oauth.issuer= oauth.token_url= oauth.grant=client_credentials oauth.grant=device_code oauth.grant=authorization_code oauth.grant=jwt_bearer oauth.grant=aws oauth.grant=azure oauth.grant=google oauth.client_id= oauth.client_secret oauth.client_auth=client_secret_basic oauth.client_auth=client_secret_post oauth.client_auth=private_key_jwt oauth.client_auth=tls_client_auth oauth.client_auth=none oauth.assertion.key=@files oauth.assertion.key_id= oauth.assertion.file=@files oauth.scope= oauth.audience= oauth.resource= oauth.extensions= oauth.token oauth.redirect_port= oauth.insecure_http=true oauth.insecure_http=false oauth.tls.insecure_skip_verify=true oauth.tls.insecure_skip_verify=false oauth.tls.ca=@files oauth.tls.cert=@files oauth.tls.key=@files oauth.tls.server_name= aws.profile= aws.role_arn= aws.region= cloud.client_id= cloud.client_secret cloud.device_client_id= cloud.api_url= cloud.auth_url= cloud.audience= cloud.legacy_url= cloud.insecure_http=true cloud.insecure_http=false globals.command_timeout= globals.dial_timeout= globals.request_timeout_overhead= globals.retry_timeout= globals.fetch_max_wait= globals.proxy= globals.no_default_cluster=true globals.no_default_cluster=false globals.streaming_protocol_request_client_id= globals.prompt= pass.command= pass.file=@files pass.keychain= admin.pass.command= admin.pass.file=@files admin.pass.keychain= admin.token.command= admin.token.file=@files admin.token.keychain= registry.pass.command= registry.pass.file=@files registry.pass.keychain= registry.token.command= registry.token.file=@files registry.token.keychain= oauth.client_secret.command= oauth.client_secret.file=@files oauth.client_secret.keychain= oauth.token.command= oauth.token.file=@files oauth.token.keychain= cloud.client_secret.command= cloud.client_secret.file=@files cloud.client_secret.keychain= description= protected=true protected=false
f	profile create	--description,-d	description of the profile	-
f	profile create	--protected	require the typed name before anything is destroyed with the profile
f	profile create	--from	profile or file to copy, or "current"	@profiles-or-files
f	profile create	--from-rpk	import an rpk.yaml (without a value: the one of rpk)	@files
f	profile create	--dry-run	show what would change without changing it
o	profile create	0		-
o	profile create	*		brokers= tls.enabled=true tls.enabled=false tls.insecure_skip_verify=true tls.insecure_skip_verify=false tls.ca=@files tls.cert=@files tls.key=@files tls.server_name= sasl.mechanism=SCRAM-SHA-256 sasl.mechanism=SCRAM-SHA-512 sasl.mechanism=PLAIN sasl.mechanism=OAUTHBEARER sasl.mechanism=AWS_MSK_IAM user= pass admin.hosts= admin.tls.enabled=true admin.tls.enabled=false admin.tls.insecure_skip_verify=true admin.tls.insecure_skip_verify=false admin.tls.ca=@files admin.tls.cert=@files admin.tls.key=@files admin.tls.server_name= admin.user= admin.pass admin.token registry.hosts= registry.tls.enabled=true registry.tls.enabled=false registry.tls.insecure_skip_verify=true registry.tls.insecure_skip_verify=false registry.tls.ca=@files registry.tls.cert=@files registry.tls.key=@files registry.tls.server_name= registry.user= registry.pass registry.token oauth.issuer= oauth.token_url= oauth.grant=client_credentials oauth.grant=device_code oauth.grant=authorization_code oauth.grant=jwt_bearer oauth.grant=aws oauth.grant=azure oauth.grant=google oauth.client_id= oauth.client_secret oauth.client_auth=client_secret_basic oauth.client_auth=client_secret_post oauth.client_auth=private_key_jwt oauth.client_auth=tls_client_auth oauth.client_auth=none oauth.assertion.key=@files oauth.assertion.key_id= oauth.assertion.file=@files oauth.scope= oauth.audience= oauth.resource= oauth.extensions= oauth.token oauth.redirect_port= oauth.insecure_http=true oauth.insecure_http=false oauth.tls.insecure_skip_verify=true oauth.tls.insecure_skip_verify=false oauth.tls.ca=@files oauth.tls.cert=@files oauth.tls.key=@files oauth.tls.server_name= aws.profile= aws.role_arn= aws.region= cloud.client_id= cloud.client_secret cloud.device_client_id= cloud.api_url= cloud.auth_url= cloud.audience= cloud.legacy_url= cloud.insecure_http=true cloud.insecure_http=false globals.command_timeout= globals.dial_timeout= globals.request_timeout_overhead= globals.retry_timeout= globals.fetch_max_wait= globals.proxy= globals.no_default_cluster=true globals.no_default_cluster=false globals.streaming_protocol_request_client_id= globals.prompt= pass.command= pass.file=@files pass.keychain= admin.pass.command= admin.pass.file=@files admin.pass.keychain= admin.token.command= admin.token.file=@files admin.token.keychain= registry.pass.command= registry.pass.file=@files registry.pass.keychain= registry.token.command= registry.token.file=@files registry.token.keychain= oauth.client_secret.command= oauth.client_secret.file=@files oauth.client_secret.keychain= oauth.token.command= oauth.token.file=@files oauth.token.keychain= cloud.client_secret.command= cloud.client_secret.file=@files cloud.client_secret.keychain= description= protected=true protected=false
f	profile rename-to	--dry-run	show what would change without changing it
o	profile rename-to	0		@profiles
f	profile delete	--dry-run	show what would change without changing it
o	profile delete	*		@profiles
f	profile use	--dry-run	show what would change without changing it
o	profile use	0		@profiles
f	profile current	--no-newline,-n	print no newline after the name
f	profile clear	--dry-run	show what would change without changing it
f	profile prompt	--validate	report what is wrong with the format
f	profile prompt	--shell	mark escape sequences as zero-width for this shell	bash zsh fish
f	profile set	--stdin	read the value of KEY from standard input
f	profile set	--file	read the value of KEY from a file	@files
f	profile set	--keychain	store secrets in the keychain of the system, and only their place in the profile
f	profile set	--dry-run	show what would change without changing it
o	profile set	*		brokers= tls.enabled=true tls.enabled=false tls.insecure_skip_verify=true tls.insecure_skip_verify=false tls.ca=@files tls.cert=@files tls.key=@files tls.server_name= sasl.mechanism=SCRAM-SHA-256 sasl.mechanism=SCRAM-SHA-512 sasl.mechanism=PLAIN sasl.mechanism=OAUTHBEARER sasl.mechanism=AWS_MSK_IAM user= pass admin.hosts= admin.tls.enabled=true admin.tls.enabled=false admin.tls.insecure_skip_verify=true admin.tls.insecure_skip_verify=false admin.tls.ca=@files admin.tls.cert=@files admin.tls.key=@files admin.tls.server_name= admin.user= admin.pass admin.token registry.hosts= registry.tls.enabled=true registry.tls.enabled=false registry.tls.insecure_skip_verify=true registry.tls.insecure_skip_verify=false registry.tls.ca=@files registry.tls.cert=@files registry.tls.key=@files registry.tls.server_name= registry.user= registry.pass registry.token oauth.issuer= oauth.token_url= oauth.grant=client_credentials oauth.grant=device_code oauth.grant=authorization_code oauth.grant=jwt_bearer oauth.grant=aws oauth.grant=azure oauth.grant=google oauth.client_id= oauth.client_secret oauth.client_auth=client_secret_basic oauth.client_auth=client_secret_post oauth.client_auth=private_key_jwt oauth.client_auth=tls_client_auth oauth.client_auth=none oauth.assertion.key=@files oauth.assertion.key_id= oauth.assertion.file=@files oauth.scope= oauth.audience= oauth.resource= oauth.extensions= oauth.token oauth.redirect_port= oauth.insecure_http=true oauth.insecure_http=false oauth.tls.insecure_skip_verify=true oauth.tls.insecure_skip_verify=false oauth.tls.ca=@files oauth.tls.cert=@files oauth.tls.key=@files oauth.tls.server_name= aws.profile= aws.role_arn= aws.region= cloud.client_id= cloud.client_secret cloud.device_client_id= cloud.api_url= cloud.auth_url= cloud.audience= cloud.legacy_url= cloud.insecure_http=true cloud.insecure_http=false globals.command_timeout= globals.dial_timeout= globals.request_timeout_overhead= globals.retry_timeout= globals.fetch_max_wait= globals.proxy= globals.no_default_cluster=true globals.no_default_cluster=false globals.streaming_protocol_request_client_id= globals.prompt= pass.command= pass.file=@files pass.keychain= admin.pass.command= admin.pass.file=@files admin.pass.keychain= admin.token.command= admin.token.file=@files admin.token.keychain= registry.pass.command= registry.pass.file=@files registry.pass.keychain= registry.token.command= registry.token.file=@files registry.token.keychain= oauth.client_secret.command= oauth.client_secret.file=@files oauth.client_secret.keychain= oauth.token.command= oauth.token.file=@files oauth.token.keychain= cloud.client_secret.command= cloud.client_secret.file=@files cloud.client_secret.keychain= description= protected=true protected=false
f	profile unset	--dry-run	show what would change without changing it
o	profile unset	*		brokers tls.enabled tls.insecure_skip_verify tls.ca tls.cert tls.key tls.server_name sasl.mechanism user pass admin.hosts admin.tls.enabled admin.tls.insecure_skip_verify admin.tls.ca admin.tls.cert admin.tls.key admin.tls.server_name admin.user admin.pass admin.token registry.hosts registry.tls.enabled registry.tls.insecure_skip_verify registry.tls.ca registry.tls.cert registry.tls.key registry.tls.server_name registry.user registry.pass registry.token oauth.issuer oauth.token_url oauth.grant oauth.client_id oauth.client_secret oauth.client_auth oauth.assertion.key oauth.assertion.key_id oauth.assertion.file oauth.scope oauth.audience oauth.resource oauth.extensions oauth.token oauth.redirect_port oauth.insecure_http oauth.tls.insecure_skip_verify oauth.tls.ca oauth.tls.cert oauth.tls.key oauth.tls.server_name aws.profile aws.role_arn aws.region cloud.client_id cloud.client_secret cloud.device_client_id cloud.api_url cloud.auth_url cloud.audience cloud.legacy_url cloud.insecure_http globals.command_timeout globals.dial_timeout globals.request_timeout_overhead globals.retry_timeout globals.fetch_max_wait globals.proxy globals.no_default_cluster globals.streaming_protocol_request_client_id globals.prompt pass.command pass.file pass.keychain admin.pass.command admin.pass.file admin.pass.keychain admin.token.command admin.token.file admin.token.keychain registry.pass.command registry.pass.file registry.pass.keychain registry.token.command registry.token.file registry.token.keychain oauth.client_secret.command oauth.client_secret.file oauth.client_secret.keychain oauth.token.command oauth.token.file oauth.token.keychain cloud.client_secret.command cloud.client_secret.file cloud.client_secret.keychain description protected
f	profile edit	--dry-run	show what would change without changing it
o	profile edit	0		@profiles
f	profile print	--show-secrets	print passwords and client secrets in clear text
o	profile print	0		@profiles
f	profile describe	--show-secrets	show passwords and client secrets in clear text
o	profile describe	0		@profiles
o	profile validate	0		@profiles
c	config	show	Show the configuration in use and where each value comes from
c	config	explain	Explain why an option has its value
f	config show	--show-secrets	show passwords and client secrets in clear text
f	config show	--changed	show only options that a source sets
o	config show	*		brokers tls.enabled tls.insecure_skip_verify tls.ca tls.cert tls.key tls.server_name sasl.mechanism user pass admin.hosts admin.tls.enabled admin.tls.insecure_skip_verify admin.tls.ca admin.tls.cert admin.tls.key admin.tls.server_name admin.user admin.pass admin.token registry.hosts registry.tls.enabled registry.tls.insecure_skip_verify registry.tls.ca registry.tls.cert registry.tls.key registry.tls.server_name registry.user registry.pass registry.token oauth.issuer oauth.token_url oauth.grant oauth.client_id oauth.client_secret oauth.client_auth oauth.assertion.key oauth.assertion.key_id oauth.assertion.file oauth.scope oauth.audience oauth.resource oauth.extensions oauth.token oauth.redirect_port oauth.insecure_http oauth.tls.insecure_skip_verify oauth.tls.ca oauth.tls.cert oauth.tls.key oauth.tls.server_name aws.profile aws.role_arn aws.region cloud.client_id cloud.client_secret cloud.device_client_id cloud.api_url cloud.auth_url cloud.audience cloud.legacy_url cloud.insecure_http globals.command_timeout globals.dial_timeout globals.request_timeout_overhead globals.retry_timeout globals.fetch_max_wait globals.proxy globals.no_default_cluster globals.streaming_protocol_request_client_id globals.prompt pass.command pass.file pass.keychain admin.pass.command admin.pass.file admin.pass.keychain admin.token.command admin.token.file admin.token.keychain registry.pass.command registry.pass.file registry.pass.keychain registry.token.command registry.token.file registry.token.keychain oauth.client_secret.command oauth.client_secret.file oauth.client_secret.keychain oauth.token.command oauth.token.file oauth.token.keychain cloud.client_secret.command cloud.client_secret.file cloud.client_secret.keychain
f	config explain	--show-secrets	show passwords and client secrets in clear text
o	config explain	0		brokers tls.enabled tls.insecure_skip_verify tls.ca tls.cert tls.key tls.server_name sasl.mechanism user pass admin.hosts admin.tls.enabled admin.tls.insecure_skip_verify admin.tls.ca admin.tls.cert admin.tls.key admin.tls.server_name admin.user admin.pass admin.token registry.hosts registry.tls.enabled registry.tls.insecure_skip_verify registry.tls.ca registry.tls.cert registry.tls.key registry.tls.server_name registry.user registry.pass registry.token oauth.issuer oauth.token_url oauth.grant oauth.client_id oauth.client_secret oauth.client_auth oauth.assertion.key oauth.assertion.key_id oauth.assertion.file oauth.scope oauth.audience oauth.resource oauth.extensions oauth.token oauth.redirect_port oauth.insecure_http oauth.tls.insecure_skip_verify oauth.tls.ca oauth.tls.cert oauth.tls.key oauth.tls.server_name aws.profile aws.role_arn aws.region cloud.client_id cloud.client_secret cloud.device_client_id cloud.api_url cloud.auth_url cloud.audience cloud.legacy_url cloud.insecure_http globals.command_timeout globals.dial_timeout globals.request_timeout_overhead globals.retry_timeout globals.fetch_max_wait globals.proxy globals.no_default_cluster globals.streaming_protocol_request_client_id globals.prompt pass.command pass.file pass.keychain admin.pass.command admin.pass.file admin.pass.keychain admin.token.command admin.token.file admin.token.keychain registry.pass.command registry.pass.file registry.pass.keychain registry.token.command registry.token.file registry.token.keychain oauth.client_secret.command oauth.client_secret.file oauth.client_secret.keychain oauth.token.command oauth.token.file oauth.token.keychain cloud.client_secret.command cloud.client_secret.file cloud.client_secret.keychain
f	doctor	--report	also write a support report without secrets to this file, which is replaced	@files
o	doctor	0		kafka admin registry cloud
c	sandbox	start	Start Kafka on this machine and select its profile
c	sandbox	status	Show whether a sandbox is running, and where
c	sandbox	list,ls	List the sandboxes of this machine
c	sandbox	logs	Show the logs of the brokers of a sandbox
c	sandbox	stop	Stop a sandbox
c	sandbox	purge	Stop a sandbox and remove its data and its profile
f	sandbox start	--brokers	number of brokers (default 1)	1 3 5
f	sandbox start	--engine	engine that runs the brokers (default: the first one that is available)	java docker podman simulated
f	sandbox start	--flavour	what simulated brokers imitate (default: kafka, or redpanda with --admin)	kafka redpanda
f	sandbox start	--tls	use TLS, with a certificate generated on this machine
f	sandbox start	--mtls	also require client certificates, generated on this machine
f	sandbox start	--sasl	require a user and a password, with this mechanism	SCRAM-SHA-256 SCRAM-SHA-512 PLAIN
f	sandbox start	--kafka-version	version of Kafka (default 4.1.1)	-
f	sandbox start	--port	port of the first broker (default 9092, or the next free port)	-
f	sandbox start	--cloud	also start a simulated cloud control plane, with a plugin for BYOC clusters
f	sandbox start	--registry	also start a schema registry, which keeps schemas in memory
f	sandbox start	--admin	also start a simulated Admin API, with one node per broker
f	sandbox start	--name	name of the sandbox	@sandboxes
f	sandbox start	--dry-run	show what would change without changing it
f	sandbox status	--name	name of the sandbox	@sandboxes
f	sandbox logs	--follow,-f	keep printing new lines until Ctrl-C
f	sandbox logs	--lines,-n	number of last lines to print of each broker	-
f	sandbox logs	--name	name of the sandbox	@sandboxes
f	sandbox stop	--name	name of the sandbox	@sandboxes
f	sandbox stop	--dry-run	show what would change without changing it
f	sandbox purge	--name	name of the sandbox	@sandboxes
f	sandbox purge	--dry-run	show what would change without changing it
c	completion	install	Install the completion script where the shell looks for it
c	completion	uninstall	Remove the completion script that install has written
c	completion	bash	Print the completion script for bash
c	completion	zsh	Print the completion script for zsh
c	completion	fish	Print the completion script for fish
c	completion	powershell	Print the completion script for PowerShell
f	completion install	--dry-run	show what would change without changing it
o	completion install	0		bash zsh fish powershell
f	completion uninstall	--dry-run	show what would change without changing it
o	completion uninstall	0		bash zsh fish powershell
f	help	--find	list the commands whose help has these words, the best first
f	help	--json	print the whole command tree as JSON
f	help	--man	print the manual page of the command, in mdoc(7)
o	help	*		@commands flags formats offsets where environment exit-codes permissions rpk kcat kaf kafkactl confluent kafka-scripts
f	*	--config-opt,-X	set an option; see -X list, and -X help KEY	@options
f	*	--profile	profile to use for this command	@profiles
f	*	--config	profile file to use	@files
f	*	--broker-config	broker configuration file to use	@files
f	*	--format	output format	text wide json yaml schema
f	*	--verbose,-v	show steps; -vv also shows details and stack traces
f	*	--quiet,-q	print no notices, warnings or progress
f	*	--trace	write one line per request to FILE (- for standard error)	@files
f	*	--color	when to use color	auto always never
f	*	--no-input	never prompt; refuse to destroy anything without --yes
f	*	--yes	answer yes to every prompt
f	*	--no-headers	omit the header lines of tables
f	*	--help,-h	show help
f	*	--version	show the version
x		brokers=	Comma-separated seed brokers of the Kafka API
x		tls.enabled=true	Use TLS for connections to the brokers
x		tls.enabled=false	Use TLS for connections to the brokers
x		tls.insecure_skip_verify=true	Do not verify the certificate chain of the brokers
x		tls.insecure_skip_verify=false	Do not verify the certificate chain of the brokers
x		tls.ca=@files	PEM file with the CA certificates to trust for the brokers
x		tls.cert=@files	PEM file with the client certificate for mTLS to the brokers
x		tls.key=@files	PEM file with the client key for mTLS to the brokers
x		tls.server_name=	Host name to expect in the certificates of the brokers, if it is not that of the address, for example through a tunnel
x		sasl.mechanism=SCRAM-SHA-256	SASL mechanism for brokers and Admin API (default SCRAM-SHA-256 if user is set)
x		sasl.mechanism=SCRAM-SHA-512	SASL mechanism for brokers and Admin API (default SCRAM-SHA-256 if user is set)
x		sasl.mechanism=PLAIN	SASL mechanism for brokers and Admin API (default SCRAM-SHA-256 if user is set)
x		sasl.mechanism=OAUTHBEARER	SASL mechanism for brokers and Admin API (default SCRAM-SHA-256 if user is set)
x		sasl.mechanism=AWS_MSK_IAM	SASL mechanism for brokers and Admin API (default SCRAM-SHA-256 if user is set)
x		user=	User for SASL with the brokers, and for basic authentication with the Admin API and the registry unless they have their own (registry.user)
x		pass=	Password of the user
x		admin.hosts=	Comma-separated addresses of the Admin API, optionally with a scheme
x		admin.tls.enabled=true	Use TLS for connections to the Admin API
x		admin.tls.enabled=false	Use TLS for connections to the Admin API
x		admin.tls.insecure_skip_verify=true	Do not verify the certificate chain of the Admin API
x		admin.tls.insecure_skip_verify=false	Do not verify the certificate chain of the Admin API
x		admin.tls.ca=@files	PEM file with the CA certificates to trust for the Admin API
x		admin.tls.cert=@files	PEM file with the client certificate for mTLS to the Admin API
x		admin.tls.key=@files	PEM file with the client key for mTLS to the Admin API
x		admin.tls.server_name=	Host name to expect in the certificates of the Admin API, if it is not that of the address, for example through a tunnel
x		admin.user=	Basic authentication user for the Admin API (default user)
x		admin.pass=	Password for the Admin API (default pass, unless admin.user is set)
x		admin.token=	Bearer token for the Admin API, instead of a user and a password
x		registry.hosts=	Comma-separated addresses of the schema registry
x		registry.tls.enabled=true	Use TLS for connections to the schema registry
x		registry.tls.enabled=false	Use TLS for connections to the schema registry
x		registry.tls.insecure_skip_verify=true	Do not verify the certificate chain of the schema registry
x		registry.tls.insecure_skip_verify=false	Do not verify the certificate chain of the schema registry
x		registry.tls.ca=@files	PEM file with the CA certificates to trust for the schema registry
x		registry.tls.cert=@files	PEM file with the client certificate for mTLS to the schema registry
x		registry.tls.key=@files	PEM file with the client key for mTLS to the schema registry
x		registry.tls.server_name=	Host name to expect in the certificates of the schema registry, if it is not that of the address, for example through a tunnel
x		registry.user=	Basic authentication user for the schema registry (default user)
x		registry.pass=	Password for the schema registry (default pass, unless registry.user is set)
x		registry.token=	Bearer token for the schema registry, instead of a user and a password
x		oauth.issuer=	OpenID Connect issuer of the tokens
x		oauth.token_url=	Token endpoint, for an issuer without discovery
x		oauth.grant=client_credentials	How to get a token: client_credentials for programs, device_code or authorization_code for people (see weir cluster auth login), jwt_bearer to exchange the assertion
x		oauth.grant=device_code	How to get a token: client_credentials for programs, device_code or authorization_code for people (see weir cluster auth login), jwt_bearer to exchange the assertion
x		oauth.grant=authorization_code	How to get a token: client_credentials for programs, device_code or authorization_code for people (see weir cluster auth login), jwt_bearer to exchange the assertion
x		oauth.grant=jwt_bearer	How to get a token: client_credentials for programs, device_code or authorization_code for people (see weir cluster auth login), jwt_bearer to exchange the assertion
x		oauth.grant=aws	How to get a token: client_credentials for programs, device_code or authorization_code for people (see weir cluster auth login), jwt_bearer to exchange the assertion
x		oauth.grant=azure	How to get a token: client_credentials for programs, device_code or authorization_code for people (see weir cluster auth login), jwt_bearer to exchange the assertion
x		oauth.grant=google	How to get a token: client_credentials for programs, device_code or authorization_code for people (see weir cluster auth login), jwt_bearer to exchange the assertion
x		oauth.client_id=	OAuth client id
x		oauth.client_secret=	OAuth client secret
x		oauth.client_auth=client_secret_basic	How the client proves its identity to the issuer
x		oauth.client_auth=client_secret_post	How the client proves its identity to the issuer
x		oauth.client_auth=private_key_jwt	How the client proves its identity to the issuer
x		oauth.client_auth=tls_client_auth	How the client proves its identity to the issuer
x		oauth.client_auth=none	How the client proves its identity to the issuer
x		oauth.assertion.key=@files	PEM file with the private key that signs the assertion of the client (private_key_jwt)
x		oauth.assertion.key_id=	Id of the key in oauth.assertion.key, if the client has several
x		oauth.assertion.file=@files	File with a signed assertion, such as the token of a Kubernetes service account
x		oauth.scope=	Scopes to request, separated by spaces
x		oauth.audience=	Audience to request
x		oauth.resource=	Resource to request a token for (RFC 8707)
x		oauth.extensions=	SASL extensions for the brokers: KEY=VALUE, separated by commas
x		oauth.token=	Token to use as it is, instead of one from an issuer
x		oauth.redirect_port=	Port on 127.0.0.1 to which the browser returns (authorization_code)
x		oauth.insecure_http=true	Allow an http:// issuer on another machine
x		oauth.insecure_http=false	Allow an http:// issuer on another machine
x		oauth.tls.insecure_skip_verify=true	Do not verify the certificate chain of the issuer
x		oauth.tls.insecure_skip_verify=false	Do not verify the certificate chain of the issuer
x		oauth.tls.ca=@files	PEM file with the CA certificates to trust for the issuer
x		oauth.tls.cert=@files	PEM file with the client certificate for mTLS to the issuer
x		oauth.tls.key=@files	PEM file with the client key for mTLS to the issuer
x		oauth.tls.server_name=	Host name to expect in the certificates of the issuer, if it is not that of the address, for example through a tunnel
x		aws.profile=	Profile of ~/.aws/config to sign in to Amazon MSK with (AWS_MSK_IAM)
x		aws.role_arn=	AWS role to assume for signing in to Amazon MSK
x		aws.region=	Region of the Amazon MSK cluster, if its address does not name one, for example through a tunnel
x		cloud.client_id=	OAuth client id for the control plane
x		cloud.client_secret=	OAuth client secret for the control plane
x		cloud.device_client_id=	Public OAuth client with which people log in to the control plane in a browser
x		cloud.api_url=	Base URL of the control plane API
x		cloud.auth_url=	Base URL of the authorization server that issues control plane tokens
x		cloud.audience=	Audience to request for control plane tokens
x		cloud.legacy_url=	Base URL of the older cloud API, which lists the versions of the BYOC plugin
x		cloud.insecure_http=true	Allow http:// to other machines
x		cloud.insecure_http=false	Allow http:// to other machines
x		globals.command_timeout=	Time limit for the whole command; 0 means none
x		globals.dial_timeout=	Time limit for opening one connection, including DNS lookup, TCP and TLS
x		globals.request_timeout_overhead=	How long to wait for a response, in addition to any timeout in the request itself
x		globals.retry_timeout=	How long failed requests are retried
x		globals.fetch_max_wait=	How long a broker waits for data before it responds to a fetch request
x		globals.proxy=	Proxy for all connections except to this machine and hosts in no_proxy: socks5h://, socks5:// (resolves names locally), http:// or https://, with USER:PASSWORD@ if needed
x		globals.no_default_cluster=true	Do not fall back to localhost when no addresses are given
x		globals.no_default_cluster=false	Do not fall back to localhost when no addresses are given
x		globals.streaming_protocol_request_client_id=	Client id in requests to the brokers, as shown in the brokers' logs and metrics
x		globals.prompt=	Format of the shell prompt text that "profile prompt" prints
x		pass.command=	Command that prints the value of pass
x		pass.file=@files	File with the value of pass, read for each sign-in
x		pass.keychain=	Entry in the keychain of the system that holds the value of pass
x		admin.pass.command=	Command that prints the value of admin.pass
x		admin.pass.file=@files	File with the value of admin.pass, read for each sign-in
x		admin.pass.keychain=	Entry in the keychain of the system that holds the value of admin.pass
x		admin.token.command=	Command that prints the value of admin.token
x		admin.token.file=@files	File with the value of admin.token, read for each sign-in
x		admin.token.keychain=	Entry in the keychain of the system that holds the value of admin.token
x		registry.pass.command=	Command that prints the value of registry.pass
x		registry.pass.file=@files	File with the value of registry.pass, read for each sign-in
x		registry.pass.keychain=	Entry in the keychain of the system that holds the value of registry.pass
x		registry.token.command=	Command that prints the value of registry.token
x		registry.token.file=@files	File with the value of registry.token, read for each sign-in
x		registry.token.keychain=	Entry in the keychain of the system that holds the value of registry.token
x		oauth.client_secret.command=	Command that prints the value of oauth.client_secret
x		oauth.client_secret.file=@files	File with the value of oauth.client_secret, read for each sign-in
x		oauth.client_secret.keychain=	Entry in the keychain of the system that holds the value of oauth.client_secret
x		oauth.token.command=	Command that prints the value of oauth.token
x		oauth.token.file=@files	File with the value of oauth.token, read for each sign-in
x		oauth.token.keychain=	Entry in the keychain of the system that holds the value of oauth.token
x		cloud.client_secret.command=	Command that prints the value of cloud.client_secret
x		cloud.client_secret.file=@files	File with the value of cloud.client_secret, read for each sign-in
x		cloud.client_secret.keychain=	Entry in the keychain of the system that holds the value of cloud.client_secret
'@
$global:__weirTable = $null

$global:__weirComplete = {
  param($wordToComplete, $commandAst, $cursorPosition)
  Set-StrictMode -Off
  $ErrorActionPreference = 'SilentlyContinue'

  if ($null -eq $global:__weirTable) {
    # Not @{}: its keys have no case, but -x and -X are two flags.
    $table = New-Object System.Collections.Hashtable
    foreach ($line in $global:__weirWords -split '\r?\n') {
      $kind, $place, $words, $help, $value = $line.Split([char]9)
      $spellings = $words.Split(',')
      foreach ($spelling in $spellings) {
        if ($kind -eq 'c' -or $kind -eq 'h') { $table["step $place/$spelling"] = "$place $($spellings[0])".Trim() }
        if ($kind -eq 'f' -and $null -ne $value) { $table["value $place/$spelling"] = $value }
        if ($kind -eq 'o') { $table["operand $place/$spelling"] = $value }
      }
      # A command is offered by its name, a flag by its long names.
      if ($kind -eq 'c') { $spellings = @($spellings[0]) }
      if ($kind -eq 'f') { $spellings = @($spellings | Where-Object { $_.StartsWith('--') }) }
      $key = "$kind $place"
      if (-not $table.ContainsKey($key)) { $table[$key] = New-Object System.Collections.ArrayList }
      foreach ($spelling in $spellings) { [void]$table[$key].Add(@($spelling, $help)) }
    }
    $global:__weirTable = $table
  }
  $table = $global:__weirTable

  # The words on both sides of the cursor, and what is typed of the one at the cursor.
  $before = @()
  $after = @()
  $current = ''
  $kept = ''
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    $word = $element.Extent.Text
    $isText = $element -is [System.Management.Automation.Language.StringConstantExpressionAst]
    $isQuoted = $isText -and $element.StringConstantType -ne 'BareWord'
    if ($isText) { $word = $element.Value }
    if ($element.Extent.EndOffset -lt $cursorPosition) { $before += $word }
    elseif ($element.Extent.StartOffset -ge $cursorPosition) { $after += $word }
    elseif ($isQuoted) { $current = $word }
    else {
      $current = $element.Extent.Text.Substring(0, $cursorPosition - $element.Extent.StartOffset)
      # PowerShell replaces only what follows the last comma.
      $kept = $current.Substring(0, $current.LastIndexOf(',') + 1)
    }
  }

  $place = ''
  $asked = ''
  $position = 0
  $source = $null
  $orFiles = $null
  foreach ($word in $before) {
    if ($null -ne $source) { $source = $null }
    elseif ($word.StartsWith('-')) {
      if (-not $word.Contains('=')) { $source = $table["value $place/$word"] }
      if (-not $word.Contains('=') -and $null -eq $source) { $source = $table["value */$word"] }
    }
    elseif ($table.ContainsKey("step $place/$word")) { $place = $table["step $place/$word"] }
    else {
      # For arguments that are commands themselves.
      if ($table.ContainsKey("step $asked/$word")) { $asked = $table["step $asked/$word"] }
      else { $asked += " $word" }
      $position += 1
    }
  }

  $prefix = ''
  $offers = @()
  $type = 'ParameterValue'
  $equals = $current.IndexOf('=')
  if ($null -eq $source -and $current.StartsWith('--') -and $equals -gt 0) {
    $flag = $current.Substring(0, $equals)
    $source = $table["value $place/$flag"]
    if ($null -eq $source) { $source = $table["value */$flag"] }
    $prefix = $current.Substring(0, $equals + 1)
  }
  elseif ($null -eq $source -and $current.StartsWith('-')) {
    $type = 'ParameterName'
    $offers = @($table["f $place"]) + @($table['f *'])
  }
  elseif ($null -eq $source -and $table.ContainsKey("c $place")) { $offers = @($table["c $place"]) }
  elseif ($null -eq $source) {
    $source = $table["operand $place/$position"]
    if ($null -eq $source) { $source = $table["operand $place/*"] }
  }
  $typed = $current.Substring($prefix.Length)

  if ($source) {
    # After a comma, the next value of a list.
    if ($source.StartsWith(',')) {
      $source = $source.Substring(1)
      $prefix += $typed.Substring(0, $typed.LastIndexOf(',') + 1)
      $typed = $current.Substring($prefix.Length)
    }
    # Without an answer, PowerShell offers files.
    if ($source -eq '@files' -or $source -eq '@directories') { return }
    $orFiles = $source -eq '@profiles-or-files'
    if ($orFiles) { $source = '@profiles' }
    if ($source -eq '@options') { $offers = @($table['x ']) }
    elseif ($source.StartsWith('@commands')) {
      $offers = @($table["c $asked"])
      if (-not $asked) { $offers += @($source.Split(' ') | Select-Object -Skip 1 | ForEach-Object { , @($_, '') }) }
    }
    elseif ($source.StartsWith('@')) {
      $program = $commandAst.GetCommandName()
      if (Test-Path "alias:$program") { $program = 'weir' }
      $exitCode = $global:LASTEXITCODE
      # Older versions drop empty arguments, so the typed word is attached to its flag.
      $subject, $words = $source.Substring(1).Split(' ')
      $found = & $program '__complete' ($subject + ':described') "--word=$typed" '--' @before @after 2>$null
      $global:LASTEXITCODE = $exitCode
      $offers = @($words | ForEach-Object { , @($_, '') }) + @($found | ForEach-Object { , "$_".Split([char]9) })
    }
    elseif ($source -ne '-') { $offers = @($source.Split(' ') | ForEach-Object { , @($_, '') }) }
  }

  $seen = New-Object System.Collections.Hashtable
  foreach ($offer in $offers) {
    $name, $about = $offer
    # The files for a key.
    if ($name -like '*=@files' -and $typed.StartsWith($name.Substring(0, $name.Length - 6))) {
      $key = $name.Substring(0, $name.Length - 6)
      foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($typed.Substring($key.Length))) {
        $text = "$prefix$key" + $file.CompletionText.Trim("'").Replace("''", "'")
        $seen[$text] = $true
        $text = $text.Substring($kept.Length)
        if ($text -notmatch '^[\w./:=+%\\-]+$') { $text = "'" + $text.Replace("'", "''") + "'" }
        New-Object System.Management.Automation.CompletionResult -ArgumentList $text, $file.ListItemText, $type, $file.ToolTip
      }
      continue
    }
    # Keys first; values once the key is complete.
    if (-not $typed.Contains('=') -and $name -like '*=*') { $name = $name.Substring(0, $name.IndexOf('=') + 1) }
    if (-not $name -or $seen.ContainsKey($name)) { continue }
    if (-not $name.StartsWith($typed, [System.StringComparison]::Ordinal)) { continue }
    $seen[$name] = $true
    if (-not $about) { $about = $name }
    $text = "$prefix$name".Substring($kept.Length)
    if ($text -notmatch '^[\w./:=+%-]+$') { $text = "'" + $text.Replace("'", "''") + "'" }
    New-Object System.Management.Automation.CompletionResult -ArgumentList $text, $name, $type, $about
  }
  # An empty answer keeps PowerShell from offering files.
  if ($seen.Count -eq 0) { if (-not $orFiles) { '' } }
}

# Completes aliases of weir, too, if they are set before this script runs.
$global:__weirNames = @('weir') + @(Get-Alias -Definition 'weir' -ErrorAction Ignore | ForEach-Object { $_.Name })
Register-ArgumentCompleter -Native -CommandName $global:__weirNames -ScriptBlock $global:__weirComplete
