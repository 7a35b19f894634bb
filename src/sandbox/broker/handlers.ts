import { findCoordinatorHandler } from './coordinators.ts';
import { fetchHandler } from './fetch/handler.ts';
import type { Sessions } from './fetch/sessions.ts';
import { produceHandler } from './produce/handler.ts';
import { describeProducersHandler } from './produce/producers-handler.ts';
import { apiVersionsHandler } from './serve/api-versions.ts';
import type { Handler } from './serve/handler.ts';
import {
  createPartitionsHandler,
  createTopicsHandler,
  deleteRecordsHandler,
  deleteTopicsHandler,
} from './topics/admin-handlers.ts';
import {
  describeClusterHandler,
  describeConfigsHandler,
  incrementalAlterConfigsHandler,
  listConfigResourcesHandler,
} from './topics/config-handlers.ts';
import { offsetForLeaderEpochHandler } from './topics/epoch-handler.ts';
import { listOffsetsHandler } from './topics/list-offsets-handler.ts';
import { metadataHandler } from './topics/metadata-handler.ts';
import {
  addOffsetsToTxnHandler,
  addPartitionsToTxnHandler,
  endTxnHandler,
  initProducerIdHandler,
} from './transactions/handlers.ts';

/** The handlers of a broker, except groups; `all` returns every handler, for the response to ApiVersions. */
export function handlersOf(all: () => Iterable<Handler>, sessionsOf: (broker: number) => Sessions): readonly Handler[] {
  return [
    apiVersionsHandler(all),
    metadataHandler,
    produceHandler,
    findCoordinatorHandler,
    initProducerIdHandler,
    addPartitionsToTxnHandler,
    addOffsetsToTxnHandler,
    endTxnHandler,
    fetchHandler(sessionsOf),
    listOffsetsHandler,
    offsetForLeaderEpochHandler,
    describeProducersHandler,
    createTopicsHandler,
    deleteTopicsHandler,
    createPartitionsHandler,
    deleteRecordsHandler,
    describeClusterHandler,
    describeConfigsHandler,
    incrementalAlterConfigsHandler,
    listConfigResourcesHandler,
  ];
}
