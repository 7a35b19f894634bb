import type { Mutation } from './mutation.ts';

/** Defects that only rare events reveal: broker 0, old brokers, brokers that die for good, readers that block. */
export const extremeMutations: readonly Mutation[] = [
  {
    ...{ kind: 'consume', letter: 'mutants', name: 'broker 0 is taken for no leader (reading)' },
    file: 'kafka/streams/consume/leaders.ts',
    from: "partition.leader < 0 || which === 'outdated'",
    to: "partition.leader <= 0 || which === 'outdated'",
  },
  {
    ...{ kind: 'produce', letter: 'mutants', name: 'broker 0 is taken for no leader (writing)' },
    file: 'kafka/streams/produce/seeker.ts',
    from: 'if (leader < 0) throw noLeader',
    to: 'if (leader <= 0) throw noLeader',
  },
  {
    ...{ kind: 'group', letter: 'mutants', name: 'broker 0 is taken for no leader (looking up)' },
    file: 'kafka/protocol/client/metadata-cache.ts',
    from: 'if (leader >= 0) state.locations.set',
    to: 'if (leader > 0) state.locations.set',
  },
  {
    ...{
      kind: 'consume',
      letter: 'mutants',
      name: 'a topic id that metadata reports late is taken for that of another topic',
    },
    file: 'kafka/streams/consume/position.ts',
    from: "  if (position.topicId !== undefined) return 'recreated';",
    to: "  if (position.topicId !== undefined || position.printed > 0n) return 'recreated';",
  },
  {
    ...{ kind: 'consume', letter: '2', name: 'epochs that a new leader does not have count as its own' },
    file: 'kafka/streams/consume/epochs.ts',
    from: 'const ownEnd = later?.offset ?? offset;',
    to: 'const ownEnd = later === undefined ? offset : offset;',
  },
  {
    ...{ kind: 'consume', letter: 'mutants', name: 'a broker without OffsetForLeaderEpoch cannot be read from' },
    file: 'kafka/streams/consume/truncation.ts',
    from: 'if (error !== undefined && isWorthAsking(end?.errorCode, error)) unchecked',
    to: 'if (error !== undefined) unchecked',
  },
  {
    ...{ kind: 'group', letter: 'mutants', name: 'new topics that match are not subscribed to' },
    file: 'kafka/streams/consume/group-source.ts',
    from: 'if (request.regex) work.subscription = matching.map(({ name }) => name);',
    to: '',
  },
  {
    ...{ kind: 'consume', letter: 'mutants', name: 'new topics that match are not read' },
    file: 'kafka/streams/consume/topic-source.ts',
    from: 'if (discovered !== undefined) wake();',
    to: 'discovered = undefined;',
  },
  {
    ...{ kind: 'group', letter: 'mutants', name: 'SyncGroup is given up after the retry timeout' },
    file: 'kafka/streams/groups/membership.ts',
    from: 'const limitMs = Math.max(options.rebalanceTimeoutMs, member.client.options.deadline.limits.retryMs);',
    to: 'const limitMs = Math.min(options.rebalanceTimeoutMs, member.client.options.deadline.limits.retryMs);',
  },
  {
    ...{ kind: 'group', letter: 'mutants', name: 'SyncGroup is never given up' },
    file: 'kafka/streams/groups/membership.ts',
    from: 'requests.ask(syncGroup, () => request, { limitMs })',
    to: 'requests.ask(syncGroup, () => request, { limitMs: limitMs * 1e6 })',
  },
  {
    ...{ kind: 'group', letter: '2f', name: 'a static member is shut out by its own join (consumer protocol)' },
    file: 'kafka/streams/groups/consumer-membership.ts',
    from: 'if (await release(member)) continue;',
    to: '',
  },
  {
    ...{ kind: 'group', letter: '2f', name: 'a static member gives its instance id back only once' },
    file: 'kafka/streams/groups/consumer-membership.ts',
    from: 'const mostReleases = 5;',
    to: 'const mostReleases = 1;',
    test: {
      file: 'kafka/streams/groups/consumer-membership-faults.test.ts',
      why: 'few seeds lose two joins of a static member',
    },
  },
  {
    ...{ kind: 'group', letter: '2e', name: 'each commit in a row is repeated for 45 s' },
    file: 'kafka/streams/consume/group-source.ts',
    from: 'if (work.failure !== undefined && !work.isClosing) throw work.failure;',
    to: '',
    test: {
      file: 'kafka/streams/consume/group-source.test.ts',
      why: 'a heartbeat that fails for as long ends the member first, unless a rebalance begins at the same time',
    },
  },
  {
    ...{ kind: 'group', letter: '2f', name: 'a removed member does not say that its last offsets are not committed' },
    file: 'kafka/streams/consume/group-source.ts',
    from: 'if (refused !== undefined && isUncommitted(work, refused)) {',
    to: "if (refused === 'late' && isUncommitted(work, refused)) {",
  },
  {
    ...{ kind: 'group', letter: '2f', name: 'nothing is committed while the reader is blocked' },
    file: 'kafka/streams/consume/consume.ts',
    from: 'within(clock, quickReaderMs, printed, () => undefined).then',
    to: 'printed.then',
  },
  {
    ...{ kind: 'group', letter: '2f', name: 'what the reader takes late is not committed' },
    file: 'kafka/streams/consume/group-source.ts',
    from: '      return commitLast(work);\n',
    to: '',
  },
  {
    ...{ kind: 'consume', letter: 'attack', name: 'a silent partition is reset and asked for its end at once' },
    file: 'kafka/streams/consume/answer.ts',
    from: '  broker.silent.delete(position);\n  if (fetched.errorCode',
    to: '  if (fetched.errorCode',
    test: {
      file: 'kafka/streams/consume/answer.test.ts',
      why: 'where the end of a range is cut off, both ways end the read',
    },
  },
  {
    ...{ kind: 'consume', letter: '2b', name: 'a range without news in a session is awaited without end' },
    file: 'kafka/streams/consume/answer.ts',
    from: '      if (position.end !== undefined) broker.silent.add(position);\n',
    to: '',
  },
  {
    ...{ kind: 'group', letter: '2', name: 'what is being written when the log turns out to be cut counts as printed' },
    file: 'kafka/streams/consume/printer.ts',
    from: 'const isCurrent = chunk.jumps === position.jumps;',
    to: 'const isCurrent = chunk.jumps <= position.jumps;',
    test: {
      file: 'kafka/streams/consume/printer-positions.test.ts',
      why: 'an answer that reveals a cut is read only when the one before it is printed',
    },
  },
  {
    ...{ kind: 'group', letter: 'attack', name: 'a heartbeat interval of 0 is accepted' },
    file: 'kafka/streams/groups/consumer-membership.ts',
    from: 'if (heartbeatIntervalMs > 0) state.intervalMs',
    to: 'state.intervalMs',
    test: {
      file: 'kafka/streams/groups/consumer-membership-faults.test.ts',
      why: 'the model has intervals as Kafka has them',
    },
  },
  {
    ...{ kind: 'produce', letter: 'attack', name: 'the lookup of a slow topic holds back records of others' },
    file: 'kafka/streams/produce/produce.ts',
    from: 'const cancel = client.options.deadline.clock.after(idleMs, onIdle);',
    to: 'const cancel = client.options.deadline.clock.after(idleMs, () => (onIdle === undefined ? 0 : undefined));',
    test: { file: 'kafka/streams/produce/topic-lookup.test.ts', why: 'a production of the simulation has one topic' },
  },
  {
    ...{ kind: 'produce', letter: 'attack', name: 'a broker that has served gets advice on SASL' },
    file: 'kafka/protocol/transport/connection.ts',
    from: 'onServed: () => void served.add(showHostPort(address)),',
    to: 'onServed: () => undefined,',
    test: { file: 'kafka/protocol/transport/connection.test.ts', why: 'hints are for people' },
  },
  {
    ...{ kind: 'produce', letter: 'attack', name: 'a topic whose creation has no answer is not looked up' },
    file: 'kafka/cluster/topics/lost-creation.ts',
    from: 'lost.filter(isMeant)',
    to: 'lost.filter(() => false)',
    test: { file: 'kafka/cluster/topics/lost-creation.test.ts', why: 'the simulation creates no topics by commands' },
  },
];
