import { alterUserScramCredentials } from '../../../../../src/kafka/protocol/wire/apis/alter-user-scram-credentials.ts';
import { createAcls } from '../../../../../src/kafka/protocol/wire/apis/create-acls.ts';
import { deleteAcls } from '../../../../../src/kafka/protocol/wire/apis/delete-acls.ts';
import { describeAcls } from '../../../../../src/kafka/protocol/wire/apis/describe-acls.ts';
import { describeUserScramCredentials } from '../../../../../src/kafka/protocol/wire/apis/describe-user-scram-credentials.ts';
import type { GoldenCase } from './case.ts';

const [code, otherCode] = [
  { principal: 'User:ana', host: '10.0.0.1', operation: 15, permissionType: 2 },
  { principal: 'User:*', host: '*', operation: 13, permissionType: 3 },
];
const [resource, otherResource] = [
  { resourceType: 5, resourceName: 'tx-ä', patternType: 4 },
  { resourceType: 7, resourceName: 'User:bea', patternType: 3 },
];
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
const doneCode = { errorCode: 0, errorMessage: null };
const [salt, saltedPassword] = [Buffer.from('0102', 'hex'), Buffer.from('fffefd', 'hex')];

/** The messages about ACLs and SCRAM users. */
export const accessCases: readonly GoldenCase[] = [
  {
    api: createAcls,
    request: {
      kafka: {
        creations: [
          { ...resource, resourcePatternType: 4, ...code },
          { ...otherResource, resourcePatternType: 3, ...otherCode },
        ],
      },
    },
    answer: {
      kafka: { throttleTimeMs: 7, results: [doneCode, refused] },
    },
  },
  {
    api: describeAcls,
    request: { kafka: anythingCode },
    answer: {
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
    request: { kafka: { filters: [anythingCode, otherFilterCode] } },
    answer: {
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
    request: { kafka: { users: [{ name: 'ana' }, { name: 'bé' }] } },
    answer: {
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
    request: { kafka: { users: [] } },
    answer: {
      kafka: { throttleTimeMs: 0, ...refused, results: [] },
    },
  },
  {
    api: alterUserScramCredentials,
    request: {
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
