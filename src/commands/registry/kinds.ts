import { excerpt } from '../../format/excerpt.ts';
import { printable } from '../../format/printable.ts';
import { type Kind, maxInt32, oneOf, text } from '../../kinds.ts';
import type { SchemaType, SchemaVersion } from '../../registry/rows.ts';
import { compatibilityLevels, schemaTypes } from '../../registry/schema-words.ts';

/** The name of a subject. */
export const subjectName: Kind<string> = {
  ...text,
  name: 'subject',
  hint: 'SUBJECT',
  completes: 'subject',
  parse(value) {
    if (value === '') throw new Error('the name is empty');
    if (printable(value) !== value) throw new Error(`the name has a control character: ${excerpt(value)}`);
    return value;
  },
};

/** The name of a subject, or a regular expression with -r. */
export const subjectOrPattern: Kind<string> = { ...subjectName, name: 'subject or regular expression' };

/** `latest` (also -1, as in the registry's API), or the number of a version. */
export const schemaVersion: Kind<SchemaVersion> = {
  name: 'version',
  hint: 'VERSION',
  parse(value) {
    if (value.toLowerCase() === 'latest' || value === '-1') return 'latest';
    const version = /^\d{1,10}$/.test(value) ? Number(value) : 0;
    if (version < 1 || version > maxInt32) throw new Error('not a version (use a number from 1, or latest)');
    return version;
  },
  show: String,
};

/** The type of a schema, also by the ending of its usual files. */
export const schemaType: Kind<SchemaType> = {
  name: 'schema type',
  hint: 'avro|protobuf|json',
  choices: ['avro', 'protobuf', 'json'],
  parse(value) {
    const type = schemaTypes.get(value.toLowerCase());
    if (type === undefined) throw new Error('not one of avro, protobuf, json');
    return type;
  },
  show: (value) => value.toLowerCase(),
};

/** A compatibility level; too many for the placeholder in the help. */
export const compatibilityLevel: Kind<string> = {
  ...oneOf<string>('compatibility level', compatibilityLevels),
  hint: 'LEVEL',
};

const modes = oneOf('mode', ['READONLY', 'READWRITE', 'IMPORT', 'FORWARD', 'READONLY_OVERRIDE']);

/** A mode; READ_ONLY and READ_WRITE are accepted too. */
export const schemaMode: Kind<string> = {
  ...modes,
  hint: 'MODE',
  parse: (value) => modes.parse(value.replace(/^read_(?=only|write)/i, 'read')),
};
