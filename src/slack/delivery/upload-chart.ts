import type { WebClient } from '@slack/web-api'
import type { Chart } from '../../core/chart.ts'
import { uploadedFileId } from './uploaded-file-id.ts'

/** Uploads a picture and returns the id of its file; `to` shares it somewhere, without it no channel shows it. */
export const uploadChart = async (
  client: WebClient,
  { png, altText }: Chart,
  to: { readonly channel_id?: string; readonly thread_ts?: string } = {},
): Promise<string> => {
  const answer: unknown = await client.filesUploadV2({
    ...(to as object),
    file: Buffer.from(png),
    filename: 'chart.png',
    title: 'Chart',
    alt_text: altText.slice(0, 1_000),
  })
  return uploadedFileId(answer)
}
