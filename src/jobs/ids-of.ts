import { z } from 'zod'

const Ids = z.object({
  questionId: z.string().exactOptional(),
  digestId: z.string().exactOptional(),
  queryId: z.string().exactOptional(),
})

/** What a job is about, by the ids in its data: with them an operator finds every line of one question. */
export const subjectIdsOf = (data: unknown): z.infer<typeof Ids> => Ids.safeParse(data).data ?? {}
