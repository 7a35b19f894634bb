import { CliError, exitCodes } from '../../errors.ts';

/**
 * The error for bytes of a peer that do not match the layout of the API (exit code 1): a proxy, another service, or a
 * defect.
 */
export class ProtocolError extends CliError {
  constructor(api: string, position: number, why: string) {
    super(exitCodes.failure, `unable to read the ${api} answer at byte ${position}: ${why}`, {
      code: 'PROTOCOL',
      hints: ['check that the address belongs to a Kafka listener with the expected security protocol'],
    });
  }
}
