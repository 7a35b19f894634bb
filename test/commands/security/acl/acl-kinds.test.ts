import { expect, it } from 'vitest';
import { operationFilter, patternType, principal, role } from '../../../../src/commands/security/acl/acl-kinds.ts';

it.each([
  ['ana', 'User:ana'],
  ['User:ana', 'User:ana'],
  ['*', 'User:*'],
  ['RedpandaRole:r', 'RedpandaRole:r'],
  ['Group:g', 'Group:g'],
  ['CN=ana,OU=x:y', 'User:CN=ana,OU=x:y'],
  ['a:b', 'User:a:b'],
  ['User:a:b', 'User:a:b'],
])('the principal %s is %s', (text, expected) => {
  expect(principal.parse(text)).toBe(expected);
});

it.each(['', 'User:'])('%j is no principal', (text) => {
  expect(() => principal.parse(text)).toThrow('the name is empty');
});

it.each([
  ['User:CN=a,OU=b', true],
  ['CN=a\\, b,OU=b', true],
  ['cn=a,2.5.4.10=b', true],
  ['CN=a', false],
  ['ana,bea', false],
  ['"CN=a,OU=b",ana', false],
  ['ana,CN=a,OU=b', false, 'mixes'],
  ['CN=a,OU=b,ana', false, 'mixes'],
  ['User:CN=a,User:CN=b', false, 'mixes'],
])('a flag of principals takes %j whole: %s %s', (text, isWhole, reason?: string) => {
  if (reason === undefined) expect(principal.isWhole?.(text)).toBe(isWhole);
  else expect(() => principal.isWhole?.(text)).toThrow(reason);
});

it.each([
  ['r', 'RedpandaRole:r'],
  ['RedpandaRole:r', 'RedpandaRole:r'],
])('the role %s is %s', (text, expected) => {
  expect(role.parse(text)).toBe(expected);
});

it('has no empty role', () => {
  expect(() => role.parse('RedpandaRole:')).toThrow('it is empty');
});

it.each([
  ['describe_configs', 'DESCRIBE_CONFIGS'],
  ['DescribeConfigs', 'DESCRIBE_CONFIGS'],
  ['describe-configs', 'DESCRIBE_CONFIGS'],
  ['describe.configs', 'DESCRIBE_CONFIGS'],
  ['two_phase_commit', 'TWO_PHASE_COMMIT'],
  ['any', 'ANY'],
])('the operation %s is %s', (text, expected) => {
  expect(operationFilter.parse(text)).toBe(expected);
  expect(operationFilter.parse(operationFilter.show(expected))).toBe(expected);
});

it.each(['prefix', 'prefixed', 'PREFIXED'])('the pattern type %s is PREFIXED', (text) => {
  expect(patternType.parse(text)).toBe('PREFIXED');
});
