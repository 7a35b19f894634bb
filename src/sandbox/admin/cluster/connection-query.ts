import { parseDuration } from '../../../format/duration.ts';
import { rpcError } from '../rpc.ts';
import type { Connection } from './connection.ts';

/** How a field is compared. */
type Type = 'text' | 'number' | 'truth' | 'enum' | 'time' | 'duration';

const statistics = {
  produce_bytes: 'number',
  fetch_bytes: 'number',
  request_count: 'number',
  produce_batch_count: 'number',
} as const;

/** The fields that can be compared, in the order of the messages. */
const fields: Readonly<Record<string, Type>> = {
  node_id: 'number',
  shard_id: 'number',
  uid: 'text',
  state: 'enum',
  open_time: 'time',
  close_time: 'time',
  ...under('authentication_info', { state: 'enum', mechanism: 'enum', user_principal: 'text' }),
  listener_name: 'text',
  ...under('tls_info', { enabled: 'truth' }),
  ...under('source', { ip_address: 'text', port: 'number' }),
  client_id: 'text',
  client_software_name: 'text',
  client_software_version: 'text',
  transactional_id: 'text',
  group_id: 'text',
  group_instance_id: 'text',
  group_member_id: 'text',
  idle_duration: 'duration',
  ...under('in_flight_requests', { has_more_requests: 'truth' }),
  ...under('total_request_statistics', statistics),
  ...under('recent_request_statistics', statistics),
};

function under(message: string, types: Readonly<Record<string, Type>>): Readonly<Record<string, Type>> {
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [`${message}.${name}`, type]));
}

/** A value that can be compared with others of its field. */
type Value = string | number | boolean;

/** Enums in their order, where it is not that of their names. */
const enumOrder = ['UNSPECIFIED', 'OPEN', 'ABORTING', 'CLOSED', 'UNAUTHENTICATED', 'SUCCESS', 'FAILURE'];

function fieldOf(connection: Connection, path: string): Value {
  const camel = path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const raw = camel
    .split('.')
    .reduce((value: unknown, name) => (value as Readonly<Record<string, unknown>>)[name], connection) as Value;
  const type = fields[path];
  if (type === 'number') return Number(raw);
  if (type === 'time') return Date.parse(String(raw));
  return type === 'duration' ? Number(String(raw).replace(/s$/, '')) * 1000 : raw;
}

const comparison = /\s*([A-Za-z][\w.]*)\s*(!=|<=|>=|=|<|>)\s*("(?:[ !#-[\]-~]|\\.)*"|[\w.:-]+)\s*(AND|$)/y;
const longest = 1024;

/**
 * A filter of connections (redpanda commit 1b95a07c: src/v/redpanda/admin/aip_filter.cc).
 * @throws AdminError (invalid_argument) for an expression that the server does not take
 */
export function filterOf(expression: string): (connection: Connection) => boolean {
  if (expression === '') return () => true;
  if (expression.length > longest)
    throw invalid(`Filter expression exceeds maximum length of ${longest} characters (got ${expression.length}).`);
  const conditions: ((connection: Connection) => boolean)[] = [];
  comparison.lastIndex = 0;
  for (let joined = 'AND'; joined === 'AND'; ) {
    const at = comparison.lastIndex;
    const match = comparison.exec(expression);
    if (match === null) {
      const got = at < expression.length ? `'${expression[at]}'` : '<EOF>';
      throw invalid(
        `Failed to parse input: expected a comparison: got ${got} at position ${at} of input '${expression}'`,
      );
    }
    const [, path = '', operator = '', literal = '', next = ''] = match;
    conditions.push(condition(path, operator, literal));
    joined = next;
  }
  return (connection) => conditions.every((holds) => holds(connection));
}

function condition(path: string, operator: string, literal: string): (connection: Connection) => boolean {
  const type = fields[path];
  if (type === undefined) throw invalid(`Invalid field path: ${path}`);
  if ((type === 'enum' || type === 'truth') && !['=', '!='].includes(operator))
    throw invalid(`${type === 'enum' ? 'Enum' : 'Bool'} field '${path}' only supports = and != operators`);
  const wanted = literalOf(path, type, literal);
  return (connection) => {
    const value = fieldOf(connection, path);
    if (operator === '=') return value === wanted;
    if (operator === '!=') return value !== wanted;
    if (operator === '<') return value < wanted;
    if (operator === '<=') return value <= wanted;
    return operator === '>' ? value > wanted : value >= wanted;
  };
}

function literalOf(path: string, type: Type, literal: string): Value {
  const isQuoted = literal.startsWith('"');
  const text = isQuoted ? unquoted(literal) : literal;
  if (isQuoted !== (type === 'text')) {
    const [wanted, got] = isQuoted ? ['unquoted', 'quoted'] : ['quoted', 'unquoted'];
    throw invalid(`Expected ${wanted} literal for field '${path}', got ${got} '${text}'`);
  }
  if (type === 'text' || type === 'enum') return text;
  if (type === 'truth') {
    if (text !== 'true' && text !== 'false')
      throw invalid(`Expected boolean literal for field '${path}', got '${text}'`);
    return text === 'true';
  }
  const value = numberOf(type, text);
  if (value !== undefined && !Number.isNaN(value)) return value;
  if (type === 'number') throw invalid(`Invalid integer literal '${text}' for field '${path}'`);
  if (type === 'time') throw invalid(`Invalid timestamp format '${text}' for field '${path}': expected RFC3339 format`);
  throw invalid(`Invalid duration format '${text}' for field '${path}' (expected format: e.g., '1.3s')`);
}

function numberOf(type: Type, text: string): number | undefined {
  if (type === 'number') return /^\d+$/.test(text) ? Number(text) : undefined;
  if (type === 'time') return Date.parse(text);
  try {
    return Number(parseDuration(text)) / 1_000_000;
  } catch {
    return undefined;
  }
}

function unquoted(literal: string): string {
  const bytes = literal
    .slice(1, -1)
    .replaceAll(/\\(?:x([0-9a-fA-F]{2})|(.))/g, (_, code: string | undefined, character: string) =>
      code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/**
 * An order of connections (redpanda commit 1b95a07c: src/v/redpanda/admin/aip_ordering.cc).
 * @throws AdminError (invalid_argument) for an expression that the server does not take
 */
export function orderOf(expression: string): (a: Connection, b: Connection) => number {
  if (expression === '') return () => 0;
  const parts = expression.split(',').map((part) => {
    const [, path = '', word = ''] = /^(\S*)\s*(.*)$/.exec(part.trim()) ?? [];
    if (path === '') throw invalid(`Invalid (empty) field in ordering expression: '${part.trim()}'`);
    if (fields[path] === undefined) throw invalid(`Invalid field path in ordering expression: '${path}'`);
    if (!/^(?:asc|desc)?$/i.test(word)) throw invalid(`Unknown ordering specifier '${word}', must be 'asc' or 'desc'`);
    return { path, sign: word.toLowerCase() === 'desc' ? -1 : 1 };
  });
  return (a, b) => {
    for (const { path, sign } of parts) {
      const [one, two] = [rankOf(path, fieldOf(a, path)), rankOf(path, fieldOf(b, path))];
      if (one !== two) return one < two ? -sign : sign;
    }
    return 0;
  };
}

function rankOf(path: string, value: Value): Value {
  return fields[path] === 'enum' ? enumOrder.indexOf(String(value).replace(/^.*_/, '')) : value;
}

function invalid(message: string) {
  return rpcError('invalid_argument', message);
}
