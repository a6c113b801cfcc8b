import { z } from 'zod'
import { wholeNumber } from './whole-number.ts'

/** Where operators look. */
export const operationsSchema = z
  .strictObject({
    port: wholeNumber(0, 65_535, {
      unit: 'ports',
      expects: 'the number of a port, or 0',
      description: 'Where `/healthz`, `/readyz` and `/metrics` are served. 0: nowhere.',
      examples: [9464],
    }).default(9464),
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .meta({
        description:
          'On which address they are served. In a container: 0.0.0.0. Never where the internet reaches it: nobody is asked who they are.',
        expects: 'an address or a name of this machine',
        examples: ['127.0.0.1'],
      }),
  })
  .prefault({})
  .meta({ description: 'Health checks and metrics.' })
