import { z } from 'zod'

/** What a child is told when it is forked. */
export const childTask = z.object({
  /** Absolute path of a database file, a file of data or a folder of them. */
  path: z.string(),
  threads: z.int().positive(),
  /** IANA name. */
  timeZone: z.string(),
})

export type ChildTask = z.infer<typeof childTask>
