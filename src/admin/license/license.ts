import { fieldsOf } from '../../net/json.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { badAnswer } from '../client/answer-error.ts';
import type { Api } from '../client/api.ts';
import { listIn, needBoolean, needNumber, needText, textOrNull } from '../client/read.ts';
import type { EnterpriseUse, License, LicenseCalls } from './license-rows.ts';

const path = '/v1/features/license';

/** The calls about the license. */
export function openLicenseCalls(api: Api): LicenseCalls {
  return {
    license: () => api.call({ doing: 'read the license', method: 'GET', path, to: 'leader', read: readLicense }),
    async enterpriseUse() {
      try {
        return await api.call({
          doing: 'read which enterprise features are in use',
          method: 'GET',
          path: '/v1/features/enterprise',
          read: readUse,
        });
      } catch (error) {
        if (hasStatus(error, 404)) return undefined;
        throw error;
      }
    },
    setLicense: (text) =>
      api.call({
        doing: 'load the license',
        method: 'PUT',
        path,
        body: text,
        to: 'leader',
        // The server accepts the license that it has.
        repeats: true,
        hides: text,
        read: () => undefined,
      }),
  };
}

function readLicense(body: unknown, what: string): License | undefined {
  const fields = fieldsOf(body);
  if (!needBoolean(fields, 'loaded', what)) return undefined;
  const license = fieldsOf(fields.license);
  if (fields.license === undefined) throw badAnswer(what, 'license');
  return {
    organization: needText(license, 'org', what),
    type: needText(license, 'type', what),
    expires: needNumber(license, 'expires', what),
    checksum: textOrNull(license.sha256),
  };
}

function readUse(body: unknown, what: string): EnterpriseUse {
  const fields = fieldsOf(body);
  const features = listIn(body, 'features', what);
  return {
    status: needText(fields, 'license_status', what),
    violation: needBoolean(fields, 'violation', what),
    features: features
      .filter(({ enabled }) => enabled === true)
      .map((one) => needText(one, 'name', what))
      .sort(),
  };
}
