import { describe, expect, it, test } from 'vitest';
import type { Acl } from '../../../../src/kafka/cluster/access/acl-rows.ts';
import { type AccessRules, decide } from '../../../../src/kafka/cluster/access/explain.ts';
import type { AccessQuestion } from '../../../../src/kafka/cluster/access/explanation-rows.ts';
import decisions from './authorizer/decisions.json' with { type: 'json' };
import { scenes } from './authorizer/scenes.ts';

test("every decision is that of Kafka's own authorizer", () => {
  const all = scenes();
  expect(decisions).toHaveLength(all.length);
  const decided = all.map(({ allowsUnlisted, superUser, acls, questions }) => {
    const rules = { hasAuthorizer: true, superUsers: superUser === '' ? [] : [superUser], allowsUnlisted };
    return questions.map((question) => (decide(question, acls, rules).allowed ? 'ALLOWED' : 'DENIED')).join(' ');
  });
  expect(decided).toEqual(decisions);
});

const question: AccessQuestion = {
  ...{ principal: 'User:ana', host: null, operation: 'READ', resource_type: 'TOPIC', resource_name: 'orders' },
};
const rules: AccessRules = { hasAuthorizer: true, superUsers: [], allowsUnlisted: false };
const allow: Acl = {
  ...{ principal: 'User:ana', host: '*', resource_type: 'TOPIC', resource_name: 'orders' },
  ...{ resource_pattern_type: 'LITERAL', operation: 'READ', permission: 'ALLOW' },
};
const deny = { ...allow, permission: 'DENY' };

describe('a decision', () => {
  it.each<[string, Partial<AccessQuestion>, Acl[], Partial<AccessRules>, [boolean, string, Acl | null]]>([
    ['an ACL allows it', {}, [allow], {}, [true, 'ALLOWED_BY_ACL', allow]],
    ['a denial wins', {}, [allow, deny], {}, [false, 'DENIED_BY_ACL', deny]],
    ['a super user may do it all the same', {}, [deny], { superUsers: ['User:ana'] }, [true, 'SUPER_USER', null]],
    ['no ACL', {}, [], {}, [false, 'NO_ACL_FOR_RESOURCE', null]],
    ['no ACL, but everyone may', {}, [], { allowsUnlisted: true }, [true, 'NO_ACL_FOR_RESOURCE', null]],
    [
      'another operation only',
      { operation: 'WRITE' },
      [allow],
      { allowsUnlisted: true },
      [false, 'NO_ACL_APPLIES', null],
    ],
    ['read includes describe', { operation: 'DESCRIBE' }, [allow], {}, [true, 'ALLOWED_BY_ACL', allow]],
    ['but its denial does not', { operation: 'DESCRIBE' }, [deny], {}, [false, 'NO_ACL_APPLIES', null]],
    ['no authorizer', {}, [deny], { hasAuthorizer: false }, [true, 'NO_AUTHORIZER', null]],
    ['an ACL of another resource', { resource_name: 'order' }, [allow], {}, [false, 'NO_ACL_FOR_RESOURCE', null]],
  ])('%s', (...[, change, acls, given, [allowed, reason, rule]]) => {
    expect(decide({ ...question, ...change }, acls, { ...rules, ...given })).toMatchObject({ allowed, reason, rule });
  });

  it('says of each ACL of the resource why it does not apply', () => {
    const acls = [
      allow,
      { ...allow, principal: 'User:bea', host: '10.0.0.1' },
      { ...allow, host: '10.0.0.1', operation: 'WRITE' },
      { ...allow, operation: 'WRITE' },
      { ...allow, resource_type: 'GROUP' },
    ];
    expect(decide(question, acls, rules).judged.map(({ miss }) => miss)).toEqual([
      ...[null, 'OTHER_PRINCIPAL', 'OTHER_HOST', 'OTHER_OPERATION'],
    ]);
  });
});
