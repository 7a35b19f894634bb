import { invalidError, usageError } from '../../../errors.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { announcedHint, type HostRule } from '../vendor.ts';

/** The name of a region: it becomes a part of host names, so it must have nothing that ends one. */
const region = '[a-z]{2,}(?:-[a-z]+)+-\\d+';
const whole = new RegExp(`^${region}$`);

/** Whether a text is the name of a region. */
export function isRegion(text: string): boolean {
  return whole.test(text);
}

/** The addresses of MSK: `b-1.demo.abc123.c2.kafka.eu-west-1.amazonaws.com`, `boot-x.c2.kafka-serverless.eu-west-1.…`. */
const ofMsk = new RegExp(`^[a-z\\d.-]+\\.kafka(?:-serverless)?\\.(${region})\\.amazonaws\\.com(?:\\.cn)?\\.?$`, 'i');

/** Whether a host is one of MSK. */
export function isOfMsk(host: string): boolean {
  return ofMsk.test(host);
}

/** A region, and where it is from. */
export interface Region {
  readonly name: string;
  readonly from: 'the address' | 'aws.region';
}

/**
 * The region of a broker. For an address that is not one of MSK, only the option can say it: a signature is a proof that
 * whoever gets it can use for some minutes, so somebody must have decided that it may go there. The variables and files of AWS do not
 * count: they are set for other things.
 * @throws CliError (exit 2) if neither says it, or both and differently, or if the option is not the name of a region
 */
export function regionOf(host: string, { option, freesOthers }: HostRule): Region {
  if (option !== '' && !isRegion(option)) {
    throw invalidError(`invalid aws.region "${excerpt(option)}": it is not the name of a region`, {
      code: 'CONFIG_INVALID',
      target: 'aws.region',
      hints: ['write it like this: aws.region=eu-west-1'],
    });
  }
  const region = ofMsk.exec(host)?.[1]?.toLowerCase();
  if (region === undefined && freesOthers) return { name: option, from: 'aws.region' };
  if (region === undefined) {
    throw usageError(`unable to sign in to ${host} with an AWS identity: it is not an address of Amazon MSK`, {
      code: 'NOT_OF_AWS',
      target: 'aws.region',
      hints: [
        option === ''
          ? 'if it leads to MSK, as a tunnel or a name of your own does, set the region of the cluster: -X aws.region=REGION'
          : announcedHint('aws.region'),
        'whoever answers there could use the signature as you for 15 minutes',
      ],
    });
  }
  if (option === '' || option === region) return { name: region, from: 'the address' };
  throw usageError(`aws.region is ${option}, but ${host} is in ${region}`, {
    code: 'CONFIG_INVALID',
    target: 'aws.region',
    hints: [
      'leave aws.region out: addresses of MSK say their region',
      'see where it is set: weir config explain aws.region',
    ],
  });
}
