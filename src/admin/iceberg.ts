import type { Api } from './client/api.ts';
import { rpc } from './client/rpc.ts';
import { IcebergStatus } from './iceberg-rows.ts';

const needs = { what: 'reports about Iceberg', since: '26.2' } as const;

/** The calls about Iceberg topics. */
export function createIcebergCalls(api: Api) {
  return {
    /** The state of the catalog and of these topics, or of all. Topics without a state are left out. */
    icebergStatus: (topics: readonly string[]) =>
      api.call(
        rpc('IcebergService/GetIcebergStatus', {
          ...{ doing: 'read the state of Iceberg', needs, changes: false, form: 'state of Iceberg' },
          body: { topicsFilter: topics },
          answer: IcebergStatus,
        }),
      ),
  };
}
