/** A broker that may hold replicas. */
export interface Site {
  readonly broker: number;
  readonly rack: string | undefined;
}

/** The replicas of one partition, the preferred leader first. */
export interface Placed {
  readonly topic: string;
  readonly partition: number;
  readonly replicas: readonly number[];
}

/** How to place replicas. */
export interface PlacementRules {
  /** Undefined: as many as each partition has. */
  readonly replicas: number | undefined;
  /** Whether to spread the replicas of a partition over racks. */
  readonly racks: boolean;
}

/** The state of a placement: the replicas of each partition, and how many each broker has. */
interface Draft {
  readonly sites: ReadonlyMap<number, Site>;
  readonly rules: PlacementRules;
  readonly load: Map<number, number>;
  readonly parts: { readonly current: Placed; replicas: number[] }[];
  /** By broker: the indexes of the parts with a replica there, and again those that have changed since. */
  readonly held: Map<number, number[]>;
  /**
   * By the brokers of a move: how far in what the first one holds there is nothing to move to the other. Without it, each
   * of 100,000 moves would go through all parts again.
   */
  readonly searched: Map<number, Map<number, number>>;
}

/**
 * Places the replicas of partitions on brokers: each broker gets as many replicas, and leads as many partitions, as any
 * other (up to one), the replicas of a partition are in as many racks as possible, and as few replicas as possible move.
 * The same input always gives the same result. There must be at least as many brokers as replicas.
 */
export function place(current: readonly Placed[], sites: readonly Site[], rules: PlacementRules): Placed[] {
  const draft: Draft = {
    sites: new Map(sites.toSorted((a, b) => a.broker - b.broker).map((site) => [site.broker, site])),
    rules: { ...rules, racks: rules.racks && sites.every(({ rack }) => rack !== undefined) },
    load: new Map(sites.map(({ broker }) => [broker, 0])),
    parts: [],
    held: new Map(sites.map(({ broker }) => [broker, []])),
    searched: new Map(),
  };
  keep(draft, current);
  for (const part of draft.parts) resize(draft, part);
  level(draft);
  return lead(draft);
}

type Part = Draft['parts'][number];

/** Keeps the replicas that are on the given brokers. */
function keep(draft: Draft, current: readonly Placed[]): void {
  for (const one of current) {
    const replicas = one.replicas.filter((broker) => draft.sites.has(broker));
    for (const broker of replicas) add(draft, broker, 1);
    draft.parts.push({ current: one, replicas });
  }
}

function add({ load }: Draft, broker: number, by: 1 | -1): void {
  load.set(broker, (load.get(broker) ?? 0) + by);
}

/** Adds and removes replicas until a partition has the number that it needs. */
function resize(draft: Draft, part: Part): void {
  const wanted = draft.rules.replicas ?? part.current.replicas.length;
  while (part.replicas.length < wanted) {
    const free = [...draft.sites.keys()].filter((broker) => !part.replicas.includes(broker));
    const [next] = free.toSorted(
      (a, b) =>
        racksOf(draft, [...part.replicas, b]) - racksOf(draft, [...part.replicas, a]) ||
        loadOf(draft, a) - loadOf(draft, b),
    );
    if (next === undefined) return;
    part.replicas.push(next);
    add(draft, next, 1);
  }
  while (part.replicas.length > wanted) {
    const without = (broker: number): number[] => part.replicas.filter((other) => other !== broker);
    // The last of equally good ones, so that the leader stays.
    const [last] = part.replicas
      .toReversed()
      .toSorted(
        (a, b) => racksOf(draft, without(b)) - racksOf(draft, without(a)) || loadOf(draft, b) - loadOf(draft, a),
      );
    if (last === undefined) return;
    part.replicas = without(last);
    add(draft, last, -1);
  }
}

function loadOf({ load }: Draft, broker: number): number {
  return load.get(broker) ?? 0;
}

/** The number of racks that brokers are in; 0 if racks do not count. */
function racksOf({ sites, rules }: Draft, brokers: readonly number[]): number {
  return rules.racks ? new Set(brokers.map((broker) => sites.get(broker)?.rack)).size : 0;
}

/** Improves the racks of partitions, then moves replicas from the fullest brokers to the emptiest ones. */
function level(draft: Draft): void {
  const brokers = [...draft.sites.keys()];
  for (const part of draft.parts) while (spread(draft, part));
  for (const index of draft.parts.keys()) hold(draft, index);
  for (;;) {
    const byLoad = brokers.toSorted((a, b) => loadOf(draft, b) - loadOf(draft, a) || a - b);
    if (!byLoad.some((from) => byLoad.toReversed().some((to) => relieve(draft, from, to)))) return;
  }
}

/** Moves one replica of a partition to another rack if that increases the number of its racks. */
function spread(draft: Draft, part: Part): boolean {
  const before = racksOf(draft, part.replicas);
  const emptiest = [...draft.sites.keys()].toSorted((a, b) => loadOf(draft, a) - loadOf(draft, b));
  for (const from of part.replicas.toReversed())
    for (const to of emptiest) {
      if (part.replicas.includes(to) || racksOf(draft, swapped(part, from, to)) <= before) continue;
      move(draft, part, { from, to });
      return true;
    }
  return false;
}

/** Moves one replica from a broker to another that has at least two fewer, without loss of racks. */
function relieve(draft: Draft, from: number, to: number): boolean {
  if (loadOf(draft, from) - loadOf(draft, to) < 2) return false;
  const { parts, held, searched } = draft;
  const positions = searched.get(from) ?? new Map<number, number>();
  searched.set(from, positions);
  const indexes = held.get(from) ?? [];
  for (let at = positions.get(to) ?? 0; at < indexes.length; at++) {
    positions.set(to, at + 1);
    const index = indexes[at] as number;
    const part = parts[index] as Part;
    if (!isMovable(draft, part, { from, to })) continue;
    move(draft, part, { from, to });
    hold(draft, index);
    return true;
  }
  return false;
}

/** Lets each broker of a part that is new or has changed look at it. */
function hold({ parts, held }: Draft, index: number): void {
  for (const broker of parts[index]?.replicas ?? []) held.get(broker)?.push(index);
}

interface Move {
  readonly from: number;
  readonly to: number;
}

function isMovable(draft: Draft, part: Part, { from, to }: Move): boolean {
  const { replicas } = part;
  if (!replicas.includes(from) || replicas.includes(to)) return false;
  return racksOf(draft, swapped(part, from, to)) >= racksOf(draft, replicas);
}

function swapped({ replicas }: Part, from: number, to: number): number[] {
  return replicas.map((broker) => (broker === from ? to : broker));
}

function move(draft: Draft, part: Part, { from, to }: Move): void {
  part.replicas = swapped(part, from, to);
  add(draft, from, -1);
  add(draft, to, 1);
}

/** Puts the preferred leader of each partition first: the current one, unless its broker leads more than its share. */
function lead(draft: Draft): Placed[] {
  const share = Math.ceil(draft.parts.length / draft.sites.size);
  const leads = new Map<number, number>();
  return draft.parts.map(({ current: { topic, partition }, replicas }) => {
    const count = (broker: number): number => leads.get(broker) ?? 0;
    const [first] = replicas;
    const [leader] =
      first !== undefined && count(first) < share ? [first] : replicas.toSorted((a, b) => count(a) - count(b));
    if (leader === undefined) return { topic, partition, replicas };
    leads.set(leader, count(leader) + 1);
    return { topic, partition, replicas: [leader, ...replicas.filter((broker) => broker !== leader)] };
  });
}
