import type { Mutation } from './mutation.ts';

const kind = 'group';

/** Defects in reading with groups (issue §2e, §2f). */
export const groupMutations: readonly Mutation[] = [
  {
    ...{ kind, letter: '2e', name: 'a coordinator that cannot be dialed is not forgotten' },
    file: 'kafka/protocol/client/router.ts',
    from: '    cache.forgetNode(node);\n    throw proven',
    to: '    throw proven',
  },
  {
    ...{ kind, letter: 'mutants', name: 'a coordinator is not forgotten after a lost connection' },
    file: 'kafka/protocol/client/router.ts',
    from: 'if (gone !== undefined && isRetriable(error)) cache.forgetNode(gone);',
    to: '',
    also: [
      {
        file: 'kafka/protocol/client/router.ts',
        from: '    cache.forgetNode(node);\n    throw proven',
        to: '    throw proven',
      },
    ],
  },
  {
    ...{ kind, letter: '2e', name: 'NOT_COORDINATOR does not forget the coordinator' },
    file: 'kafka/protocol/client/open-client.ts',
    from: "if (remedy !== 'retry') router.cache.forget(target);",
    to: '',
  },
  {
    ...{ kind, letter: '2f', name: 'a joining member does not leave (consumer protocol)' },
    file: 'kafka/streams/groups/consumer-membership.ts',
    from: "const isKnown = state.phase !== 'outside';",
    to: "const isKnown = state.phase === 'stable';",
  },
  {
    ...{ kind, letter: '2f', name: 'a join continues after leaving (consumer protocol)' },
    file: 'kafka/streams/groups/consumer-membership.ts',
    from: '  if (hasLeft(member.state)) throw leftError();\n',
    to: '',
    also: [
      {
        file: 'kafka/streams/groups/consumer-membership.ts',
        from: "  if (state.phase === 'left') return;\n  const isKnown",
        to: '  const isKnown',
      },
      {
        file: 'kafka/streams/groups/coordinator-requests.ts',
        from: '      left.abort(leftError());\n',
        to: '',
      },
    ],
    test: {
      file: 'kafka/streams/groups/consumer-membership-faults.test.ts',
      why: 'a member rarely leaves while it joins',
    },
  },
  {
    ...{ kind, letter: '2f', name: 'owned partitions are kept after ILLEGAL_GENERATION' },
    file: 'kafka/streams/groups/classic-state.ts',
    from: '  state.claim = undefined;\n  state.generation = noGeneration;',
    to: '  state.generation = noGeneration;',
    test: {
      file: 'kafka/streams/groups/classic-join.test.ts',
      why: 'members rarely lose their generation while another member already has their partitions',
    },
  },
  {
    ...{ kind, letter: 'mutants', name: 'an unknown member keeps its partitions (consumer protocol)' },
    file: 'kafka/streams/groups/consumer-membership.ts',
    from: '  state.owned = [];\n  state.target = undefined;\n  state.needsRejoin = true;',
    to: '  state.target = undefined;\n  state.needsRejoin = true;',
    test: {
      file: 'kafka/streams/groups/consumer-membership-faults.test.ts',
      why: 'the coordinator assigns the same partitions again, mostly',
    },
  },
  {
    ...{ kind, letter: 'mutants', name: 'newly assigned partitions continue at a stale offset' },
    file: 'kafka/streams/consume/group-share.ts',
    from: 'isAssigned(position) && isHeld(position)',
    to: 'isAssigned(position)',
    test: {
      file: 'kafka/streams/consume/group-source.test.ts',
      why: 'a member that lost its share rarely gets the same partitions back after others have read them',
    },
  },
  {
    ...{ kind, letter: '2f', name: 'eager: partitions that others may have held since count as held' },
    file: 'kafka/streams/groups/membership.ts',
    from: "return generation === claim.generation + 1 || protocol === 'cooperative-sticky' ? claim.share : [];",
    to: 'return generation >= claim.generation || protocol !== "" ? claim.share : [];',
    test: {
      file: 'kafka/streams/groups/membership-faults.test.ts',
      why: 'weir commits before each join, so another member continues exactly where this one stopped',
    },
  },
  {
    ...{ kind, letter: '2f', name: 'cooperative: no second rebalance after revoking partitions' },
    file: 'kafka/streams/groups/membership.ts',
    from: "if (gaveUp && state.protocol === 'cooperative-sticky') state.needsRejoin = true;",
    to: '',
    test: {
      file: 'kafka/streams/groups/membership.test.ts',
      why: 'the other members of a simulated group join again often enough to heal it',
    },
  },
  {
    ...{ kind, letter: '2f', name: 'the last commit is not repeated after a rebalance' },
    file: 'kafka/streams/consume/group-source.ts',
    from: "if (refused !== 'rebalancing') return refused;",
    to: 'if (work !== undefined) return refused;',
    test: {
      file: 'kafka/streams/consume/group-close.test.ts',
      why: 'a member rarely stops while a rebalance is under way',
    },
  },
  {
    ...{ kind, letter: '2f', name: 'no last commit at all' },
    file: 'kafka/streams/consume/group-source.ts',
    from: 'const committed = commitLast(work).then(async () => {\n      await written;\n      return commitLast(work);\n    });',
    to: 'const committed = Promise.resolve(undefined);',
  },
  {
    ...{ kind, letter: '2f', name: 'no commit before a rebalance' },
    file: 'kafka/streams/consume/group-source.ts',
    from: '    await commitPrinted(work);\n    await adopt',
    to: '    await adopt',
  },
  {
    ...{ kind, letter: '2f', name: 'the wait of a JoinGroup counts against the retry timeout' },
    file: 'kafka/streams/groups/coordinator-requests.ts',
    from: 'createRetry(deadline, clock, { sinceFailure: true, ...rule, signal })(api.name',
    to: 'createRetry(deadline, clock, { signal, ...(rule.limitMs === undefined ? {} : { limitMs: rule.limitMs }) })(api.name',
    test: {
      file: 'kafka/streams/groups/membership-faults.test.ts',
      why: 'the simulation allows work to fail when retries end early',
    },
  },
  {
    ...{ kind, letter: 'mutants', name: 'a static member that leaves is forgotten (consumer protocol)' },
    file: 'kafka/streams/groups/consumer-membership.ts',
    from: 'leaveForAWhile: -2',
    to: 'leaveForAWhile: -1',
  },
  {
    ...{ kind, letter: '2f', name: 'a static member that leaves is forgotten (classic)' },
    file: 'kafka/streams/groups/membership.ts',
    from: "const isForgotten = memberId === '' || instanceId !== undefined;",
    to: "const isForgotten = memberId === '';",
  },
  {
    ...{ kind, letter: '2f', name: 'a member does not leave' },
    file: 'kafka/streams/groups/membership.ts',
    from: "const isForgotten = memberId === '' || instanceId !== undefined;",
    to: 'const isForgotten = instanceId !== undefined || state.generation > -9;',
  },
  {
    ...{ kind, letter: 'mutants', name: 'offsets of open transactions are not awaited' },
    file: 'kafka/streams/groups/commits.ts',
    from: 'requireStable: true',
    to: 'requireStable: false',
    test: { file: 'kafka/streams/groups/commits.test.ts', why: 'no transaction of the simulation commits offsets' },
  },
  {
    ...{ kind, letter: '2f', name: 'fetched offsets are committed instead of printed ones' },
    file: 'kafka/streams/consume/group-source.ts',
    from: 'const { topic, topicId, partition, printed } = position;',
    to: 'const { topic, topicId, partition, offset: printed } = position;',
  },
  {
    ...{ kind, letter: 'mutants', name: 'a commit does not wait for the write' },
    file: 'kafka/streams/consume/printer.ts',
    from: '  if (bytes.length > 0) {\n    const caughtUp',
    to: '  chunk.position.printed = reached;\n  if (bytes.length > 0) {\n    const caughtUp',
  },
  {
    ...{ kind, letter: 'mutants', name: 'the last commit does not wait for the write' },
    file: 'kafka/streams/consume/consume.ts',
    from: 'request.group === undefined ? Promise.resolve() : printer.close()',
    to: 'Promise.resolve(printer)',
    test: {
      file: 'kafka/streams/consume/group-stop.test.ts',
      why: 'output is rarely blocked when a member is stopped',
    },
  },
  {
    ...{ kind, letter: '2f', name: 'commits overtake one another' },
    file: 'kafka/streams/consume/group-source.ts',
    from: 'const turn = work.committing.then(() => {',
    to: 'const turn = Promise.resolve().then(() => {',
    test: {
      file: 'kafka/streams/consume/group-source.test.ts',
      why: 'a coordinator answers the commits of a connection in order',
    },
  },
  {
    ...{ kind, letter: '2f', name: 'an answer for an earlier generation counts' },
    file: 'kafka/streams/groups/membership.ts',
    from: "if (state.phase !== 'stable' || state.generation !== generation || state.memberId !== memberId) return;",
    to: '',
    test: { file: 'kafka/streams/groups/membership-faults.test.ts', why: 'it only costs another rebalance' },
  },
  {
    ...{ kind, letter: '2f', name: 'heartbeats continue after leaving' },
    file: 'kafka/streams/groups/heartbeats.ts',
    from: '    stop() {\n      turn += 1;\n      cancel();',
    to: '    stop() {\n      turn += 0;',
  },
  {
    ...{ kind, letter: '2f', name: 'a single failed heartbeat ends the membership' },
    file: 'kafka/streams/groups/heartbeats.ts',
    from: 'if (!(error instanceof CliError && error.retryable)) work.failed(error);',
    to: 'if (error !== undefined) work.failed(error);',
  },
  {
    ...{ kind, letter: '2f', name: 'the coordinator is not asked to rebalance when a topic grows' },
    file: 'kafka/streams/consume/group-source.ts',
    from: 'if (!isMore && !isGone) return false;',
    to: 'if (!isGone) return false;',
  },
  {
    ...{ kind, letter: '2d', name: 'a topic unknown to the coordinator ends all commits' },
    file: 'kafka/streams/groups/commits.ts',
    from: 'code === 0 || isUnknownTopic(code) || verdictOf(code)',
    to: 'code === 0 || verdictOf(code)',
    test: {
      file: 'kafka/streams/consume/group-source.test.ts',
      why: 'a simulated coordinator knows the topics that its brokers know',
    },
  },
  {
    ...{ kind, letter: '2f', name: 'a consumer member ignores a new epoch when it commits' },
    file: 'kafka/streams/groups/consumer-membership.ts',
    from: "    if (tries >= commitTries) return { committed, unknown, refused: 'rebalancing' };",
    to: "    if (tries >= 1) return { committed, unknown, refused: 'lost' };",
    test: {
      file: 'kafka/streams/groups/consumer-membership-faults.test.ts',
      why: 'the next heartbeat has the epoch, and the next commit the offsets',
    },
  },
  {
    ...{ kind, letter: '2f', name: 'a commit has no leader epoch' },
    file: 'kafka/streams/consume/group-source.ts',
    from: 'leaderEpoch: printedEpoch(position)',
    to: 'leaderEpoch: printedEpoch(position) - printedEpoch(position) - 1',
    test: {
      file: 'kafka/streams/consume/group-source.test.ts',
      why: 'only a member that begins after a log was cut needs it',
    },
  },
  {
    ...{ kind, letter: 'pauses', name: 'a member that stood still prints what others have printed' },
    file: 'kafka/streams/groups/heartbeats.ts',
    from: 'if (!session.isDoubtful()) return undefined;',
    to: 'if (turn >= 0) return undefined;',
  },
  {
    ...{ kind, letter: 'ids', name: 'offsets of a deleted topic are committed to the one that has its name' },
    file: 'kafka/streams/groups/commits.ts',
    from: 'topicId !== undefined && ids.has(topic) && ids.get(topic) !== topicId;',
    to: "topicId === '';",
    test: { file: 'simulation/recreation.test.ts', why: 'topics are created again in scenarios of their own' },
  },
];
