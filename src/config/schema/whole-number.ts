import { z } from 'zod'

/** A setting that is a whole number within bounds, said in its unit, or as `expects` has it. */
export const wholeNumber = (from: number, to: number, meta: z.GlobalMeta & { unit: string }) => {
  const { unit, expects = `a whole number of ${unit} from ${from} to ${to}`, ...rest } = meta
  return z
    .int()
    .min(from)
    .max(to)
    .meta({ ...rest, expects })
}
