import { z } from 'zod'

const UploadResponse = z.object({
  files: z.array(z.object({ files: z.array(z.object({ id: z.string() })).min(1) })).min(1),
})

/** The id of the one file that `filesUploadV2` answers with. */
export const uploadedFileId = (answer: unknown): string =>
  UploadResponse.parse(answer).files[0]?.files[0]?.id ?? ''
