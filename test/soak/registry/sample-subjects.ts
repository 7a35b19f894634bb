/** A version of a sample subject. */
export interface SampleVersion {
  readonly text: string;
  readonly references: readonly { readonly name: string; readonly subject: string; readonly version: number }[];
  readonly isDeleted: boolean;
}

/** A subject with all its versions, oldest first. */
export interface SampleSubject {
  readonly subject: string;
  readonly type: 'AVRO' | 'PROTOBUF' | 'JSON';
  /** The level of its own; undefined for none. */
  readonly level: string | undefined;
  readonly versions: readonly SampleVersion[];
}

const levels = ['FULL', 'BACKWARD_TRANSITIVE', 'FORWARD'];

/**
 * Subjects of all types, each after those that it refers to: one to three versions, compatible in both directions in Avro,
 * backward in the others. Three of four refer to another subject, in chains of up to three; some of the oldest versions are
 * deleted, and all of one subject.
 */
export function sampleSubjects(count: number): readonly SampleSubject[] {
  const subjects: SampleSubject[] = [];
  for (let at = 0; at < count; at += 1) subjects.push(sampleSubject(at, subjects[at - 3]));
  const text = (version: number) => textOf('AVRO', { at: count, version, other: undefined });
  const versions = [0, 1].map((version) => ({ text: text(version), references: [], isDeleted: true }));
  return [...subjects, { subject: 'soak-gone', type: 'AVRO', level: undefined, versions }];
}

function sampleSubject(at: number, other: SampleSubject | undefined): SampleSubject {
  const type = (['AVRO', 'PROTOBUF', 'JSON'] as const)[at % 3] ?? 'AVRO';
  const referred = at % 4 === 0 ? undefined : other;
  const versions = Array.from(
    { length: 1 + (Math.floor(at / 3) % 3) },
    (_, version, all = 1 + (Math.floor(at / 3) % 3)) => {
      const text = textOf(type, { at, version, other: referred && at - 3 });
      const references = referred === undefined ? [] : [referenceTo(referred, at - 3, version)];
      return { text, references, isDeleted: at % 5 === 2 && version === 0 && all > 1 };
    },
  );
  const level = type === 'AVRO' && at % 2 === 0 ? levels[(at / 2) % levels.length] : undefined;
  return { subject: `soak-${String(at).padStart(4, '0')}`, type, level, versions };
}

/** An older version of another subject where it is not deleted, otherwise the latest. */
function referenceTo({ subject, type, versions }: SampleSubject, at: number, version: number) {
  const old = versions[Math.min(version, versions.length - 1)];
  const number = old?.isDeleted === false ? versions.indexOf(old) + 1 : versions.length;
  return { name: nameOf(type, at), subject, version: number };
}

function nameOf(type: SampleSubject['type'], at: number): string {
  return { AVRO: `R${at}`, PROTOBUF: `p${at}.proto`, JSON: `j${at}.json` }[type];
}

/** What a text is made from: each version has a field more than the one before. */
interface TextParts {
  readonly at: number;
  readonly version: number;
  /** The number of the subject that it refers to. */
  readonly other: number | undefined;
}

function textOf(type: SampleSubject['type'], { at, version, other }: TextParts): string {
  const more = Array.from({ length: version }, (_, field) => `f${field}`);
  if (type === 'AVRO') {
    const fields = [
      { name: 'id', type: 'long' },
      ...(other === undefined ? [] : [{ name: 'other', type: ['null', `R${other}`], default: null }]),
      ...more.map((name) => ({ name, type: 'int', default: 0 })),
    ];
    return JSON.stringify({ type: 'record', name: `R${at}`, fields });
  }
  if (type === 'JSON') {
    const properties = {
      id: { type: 'integer' },
      ...(other !== undefined && { other: { $ref: `j${other}.json` } }),
      ...Object.fromEntries(more.map((name) => [name, { type: 'integer' }])),
    };
    return JSON.stringify({ type: 'object', title: `J${at}`, properties, additionalProperties: false });
  }
  return [
    'syntax = "proto3";',
    ...(other === undefined ? [] : [`import "p${other}.proto";`]),
    `message P${at} {`,
    '  int64 id = 1;',
    ...(other === undefined ? [] : [`  P${other} other = 2;`]),
    ...more.map((name, field) => `  int32 ${name} = ${field + 3};`),
    '}',
    '',
  ].join('\n');
}
