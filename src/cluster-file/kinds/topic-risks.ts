import { type ConfigChange, erasedTogether } from '../../kafka/cluster/config-risk-words.ts';
import type { PlanRow } from '../plan/plan-rows.ts';

/** A topic that is changed or created. */
interface TopicChange {
  readonly isNew: boolean;
  /** Whether it gets more partitions than it has. */
  readonly isGrowing: boolean;
  /** How many replicas its partitions have; undefined if the cluster decides. */
  readonly replicas: number | undefined;
  readonly configs: readonly ConfigChange[];
}

/** Something that a user should know before a topic is changed. */
interface Fact {
  readonly risk: PlanRow['risk'];
  /** The fact in words, if it is true of a change. */
  why(change: TopicChange): string | undefined;
}

/** What everyday changes of topics put at risk, the worst first. */
const facts: readonly Fact[] = [
  {
    risk: 'records',
    why({ isNew, configs }) {
      const erased = isNew ? undefined : erasedTogether(configs);
      return erased === undefined ? undefined : `can erase ${erased}`;
    },
  },
  {
    risk: 'records',
    why: ({ isGrowing }) => (isGrowing ? 'new records of a key may go to another partition' : undefined),
  },
  {
    risk: 'records',
    why({ configs }) {
      const { before, after } = inSync(configs);
      return after < before ? 'acknowledged records may be on fewer replicas (min.insync.replicas)' : undefined;
    },
  },
  {
    risk: 'access',
    why({ configs, replicas = Infinity }) {
      const { after } = inSync(configs);
      return after > replicas ? 'producers with acks=all fail: min.insync.replicas is above replicas' : undefined;
    },
  },
];

/** The values of `min.insync.replicas`, as far as a change has them; NaN otherwise. */
function inSync(configs: readonly ConfigChange[]) {
  const change = configs.find(({ key }) => key === 'min.insync.replicas');
  return { before: Number(change?.before ?? Number.NaN), after: Number(change?.after ?? Number.NaN) };
}

/** What a change of a topic puts at risk, and why. */
export function topicRisk(change: TopicChange): Pick<PlanRow, 'risk' | 'why'> {
  const known = facts.flatMap(({ risk, why }) => {
    const text = why(change);
    return text === undefined ? [] : [{ risk, text }];
  });
  const [first] = known;
  return first === undefined
    ? { risk: 'none', why: null }
    : { risk: first.risk, why: known.map(({ text }) => text).join('; ') };
}
