import { describe, expect, it } from 'vitest';
import type { FilterValues } from '../../../../src/commands/security/acl/acl-flags.ts';
import { isNarrow, plannedFilters } from '../../../../src/commands/security/acl/filter-plan.ts';

const none: FilterValues = {
  ...{ topic: [], group: [], transactionalId: [], cluster: false, delegationToken: [], userPrincipal: [] },
  ...{ registryGlobal: false, registrySubject: [] },
  ...{ resource: undefined, resourceName: [] },
  ...{ allowPrincipal: [], denyPrincipal: [], allowRole: [], denyRole: [], allowHost: [], denyHost: [] },
  ...{ permission: undefined, principal: [], host: [], operation: [], resourcePatternType: 'ANY' },
};

/** Principal, host, permission, type, name, pattern, operation; `-` for anything. */
function shown(values: Partial<FilterValues>): readonly string[] {
  return plannedFilters({ ...none, ...values }).map((filter) =>
    Object.values(filter)
      .map((cell) => cell ?? '-')
      .join(' '),
  );
}

describe('the filters that flags describe', () => {
  it.each<[Partial<FilterValues>, string[]]>([
    [{}, ['- - ANY ANY - ANY ANY']],
    [{ allowPrincipal: ['User:a'] }, ['User:a - ALLOW ANY - ANY ANY']],
    [{ denyHost: ['h'] }, ['- h DENY ANY - ANY ANY']],
    [
      { allowPrincipal: ['User:a'], denyRole: ['RedpandaRole:r'] },
      ['User:a - ALLOW ANY - ANY ANY', 'RedpandaRole:r - DENY ANY - ANY ANY'],
    ],
    [
      { topic: ['t'], cluster: true, operation: ['READ', 'WRITE'], resourcePatternType: 'MATCH' },
      [
        '- - ANY TOPIC t MATCH READ',
        '- - ANY TOPIC t MATCH WRITE',
        '- - ANY CLUSTER kafka-cluster MATCH READ',
        '- - ANY CLUSTER kafka-cluster MATCH WRITE',
      ],
    ],
    [
      { allowPrincipal: ['User:a', 'User:b'], allowHost: ['h', 'i'] },
      ['a h', 'a i', 'b h', 'b i'].map((who) => `User:${who} ALLOW ANY - ANY ANY`),
    ],
    [{ resource: 'TOPIC' }, ['- - ANY TOPIC - ANY ANY']],
    [{ resourceName: ['x'] }, ['- - ANY ANY x ANY ANY']],
    [{ permission: 'DENY', principal: ['User:a'], host: ['h'] }, ['User:a h DENY ANY - ANY ANY']],
    [{ principal: ['User:a'] }, ['User:a - ANY ANY - ANY ANY']],
  ])('%j', (values, filters) => {
    expect(shown(values)).toEqual(filters);
  });

  it.each<[Partial<FilterValues>, string]>([
    [{ allowPrincipal: ['User:a'], denyHost: ['h'] }, '--allow-principal without --allow-host cannot be combined'],
    [{ denyPrincipal: ['User:a'], allowHost: ['h'] }, '--deny-principal without --deny-host cannot be combined'],
    [{ permission: 'ANY', allowPrincipal: ['User:a'] }, 'cannot be combined with the --allow- and --deny- flags'],
    [{ resource: 'TOPIC', group: ['g'] }, 'cannot be combined with --topic'],
  ])('%j is refused', (values, message) => {
    expect(() => plannedFilters({ ...none, ...values })).toThrow(message);
  });

  it.each<[Partial<FilterValues>, boolean]>([
    [{}, false],
    [{ operation: ['ANY'] }, false],
    [{ resourcePatternType: 'MATCH' }, false],
    [{ resource: 'ANY' }, false],
    [{ permission: 'ANY' }, false],
    [{ resourcePatternType: 'PREFIXED' }, true],
    [{ operation: ['READ'] }, true],
    [{ cluster: true }, true],
    [{ denyHost: ['h'] }, true],
    [{ principal: ['User:a'] }, true],
    [{ permission: 'DENY' }, true],
  ])('%j selects less than all ACLs: %s', (values, expected) => {
    expect(isNarrow(plannedFilters({ ...none, ...values }))).toBe(expected);
  });
});
