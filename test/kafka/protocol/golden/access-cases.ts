import { alterUserScramCredentials } from '../../../../src/kafka/protocol/alter-user-scram-credentials.ts';
import { createAcls } from '../../../../src/kafka/protocol/create-acls.ts';
import { deleteAcls } from '../../../../src/kafka/protocol/delete-acls.ts';
import { describeAcls } from '../../../../src/kafka/protocol/describe-acls.ts';
import { describeUserScramCredentials } from '../../../../src/kafka/protocol/describe-user-scram-credentials.ts';
import type { GoldenCase } from './case.ts';

const acl = {
  resourceType: 'TRANSACTIONAL_ID',
  resourceName: 'tx-ä',
  patternType: 'PREFIXED',
  principal: 'User:ana',
  host: '10.0.0.1',
  operation: 'TWO_PHASE_COMMIT',
  permission: 'DENY',
};
const other = {
  resourceType: 'USER',
  resourceName: 'User:bea',
  patternType: 'LITERAL',
  principal: 'User:*',
  host: '*',
  operation: 'CREATE_TOKENS',
  permission: 'ALLOW',
};
const [code, otherCode] = [
  { principal: 'User:ana', host: '10.0.0.1', operation: 15, permissionType: 2 },
  { principal: 'User:*', host: '*', operation: 13, permissionType: 3 },
];
const [resource, otherResource] = [
  { resourceType: 5, resourceName: 'tx-ä', patternType: 4 },
  { resourceType: 7, resourceName: 'User:bea', patternType: 3 },
];
const anything = {
  resourceType: 'ANY',
  resourceName: undefined,
  patternType: 'MATCH',
  principal: undefined,
  host: undefined,
  operation: 'ANY',
  permission: 'ANY',
};
const anythingCode = {
  resourceTypeFilter: 1,
  resourceNameFilter: null,
  patternTypeFilter: 2,
  principalFilter: null,
  hostFilter: null,
  operation: 1,
  permissionType: 1,
};
const otherFilterCode = {
  resourceTypeFilter: 7,
  resourceNameFilter: 'User:bea',
  patternTypeFilter: 3,
  principalFilter: 'User:*',
  hostFilter: '*',
  operation: 13,
  permissionType: 3,
};
const refused = { errorCode: 31, errorMessage: 'no' };
const done = { errorCode: 0, errorMessage: undefined };
const doneCode = { errorCode: 0, errorMessage: null };
const [salt, saltedPassword] = [Buffer.from('0102', 'hex'), Buffer.from('fffefd', 'hex')];

/** The messages about ACLs and SCRAM users. */
export const accessCases: readonly GoldenCase[] = [
  {
    api: createAcls,
    request: {
      weir: { acls: [acl, other] },
      kafka: {
        creations: [
          { ...resource, resourcePatternType: 4, ...code },
          { ...otherResource, resourcePatternType: 3, ...otherCode },
        ],
      },
    },
    answer: {
      weir: { throttleMs: 7, results: [done, refused] },
      kafka: { throttleTimeMs: 7, results: [doneCode, refused] },
    },
  },
  {
    api: describeAcls,
    request: { weir: anything, kafka: anythingCode },
    answer: {
      weir: { throttleMs: 7, errorCode: 0, errorMessage: 'text', acls: [acl, other, { ...other, host: 'h' }] },
      kafka: {
        throttleTimeMs: 7,
        errorCode: 0,
        errorMessage: 'text',
        resources: [
          { ...resource, acls: [code] },
          { ...otherResource, acls: [otherCode, { ...otherCode, host: 'h' }] },
        ],
      },
    },
  },
  {
    api: deleteAcls,
    request: { weir: { filters: [anything, other] }, kafka: { filters: [anythingCode, otherFilterCode] } },
    answer: {
      weir: {
        throttleMs: 7,
        results: [
          {
            ...done,
            acls: [
              { ...done, ...acl },
              { ...refused, ...other },
            ],
          },
          { ...refused, acls: [] },
        ],
      },
      kafka: {
        throttleTimeMs: 7,
        filterResults: [
          {
            ...doneCode,
            matchingAcls: [
              { ...doneCode, ...resource, ...code },
              { ...refused, ...otherResource, ...otherCode },
            ],
          },
          { ...refused, matchingAcls: [] },
        ],
      },
    },
  },
  {
    api: describeUserScramCredentials,
    request: { weir: { users: ['ana', 'bé'] }, kafka: { users: [{ name: 'ana' }, { name: 'bé' }] } },
    answer: {
      weir: {
        ...{ throttleMs: 7, errorCode: 0, errorMessage: 'text' },
        users: [
          {
            user: 'ana',
            ...done,
            credentials: [
              { mechanism: 'SCRAM-SHA-256', iterations: 4096 },
              { mechanism: 'SCRAM-SHA-512', iterations: 8192 },
            ],
          },
          { user: 'bé', ...refused, credentials: [] },
        ],
      },
      kafka: {
        ...{ throttleTimeMs: 7, errorCode: 0, errorMessage: 'text' },
        results: [
          {
            user: 'ana',
            ...doneCode,
            credentialInfos: [
              { mechanism: 1, iterations: 4096 },
              { mechanism: 2, iterations: 8192 },
            ],
          },
          { user: 'bé', ...refused, credentialInfos: [] },
        ],
      },
    },
  },
  {
    api: describeUserScramCredentials,
    request: { weir: { users: undefined }, kafka: { users: null } },
    answer: {
      weir: { throttleMs: 0, ...refused, users: [] },
      kafka: { throttleTimeMs: 0, ...refused, results: [] },
    },
  },
  {
    api: alterUserScramCredentials,
    request: {
      weir: {
        deletions: [{ user: 'ana', mechanism: 'SCRAM-SHA-256' }],
        upsertions: [{ user: 'bé', mechanism: 'SCRAM-SHA-512', iterations: 4096, salt, saltedPassword }],
      },
      kafka: {
        deletions: [{ name: 'ana', mechanism: 1 }],
        upsertions: [
          {
            ...{ name: 'bé', mechanism: 2, iterations: 4096 },
            salt: salt.toString('base64'),
            saltedPassword: saltedPassword.toString('base64'),
          },
        ],
      },
    },
    answer: {
      weir: {
        throttleMs: 7,
        users: [
          { user: 'ana', ...refused },
          { user: 'bé', ...done },
        ],
      },
      kafka: {
        throttleTimeMs: 7,
        results: [
          { user: 'ana', ...refused },
          { user: 'bé', ...doneCode },
        ],
      },
    },
  },
];
