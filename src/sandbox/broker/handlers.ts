import { findCoordinatorHandler } from './coordinators/handler.ts';
import { produceHandler } from './produce/handler.ts';
import { apiVersionsHandler } from './serve/api-versions.ts';
import type { Handler } from './serve/handler.ts';
import { metadataHandler } from './topics/metadata-handler.ts';
import {
  addOffsetsToTxnHandler,
  addPartitionsToTxnHandler,
  endTxnHandler,
  initProducerIdHandler,
} from './transactions/handlers.ts';

/** Everything that a broker answers; `all` gives it back when brokers are asked what they speak. */
export function handlersOf(all: () => Iterable<Handler>): readonly Handler[] {
  return [
    apiVersionsHandler(all),
    metadataHandler,
    produceHandler,
    findCoordinatorHandler,
    initProducerIdHandler,
    addPartitionsToTxnHandler,
    addOffsetsToTxnHandler,
    endTxnHandler,
  ];
}
