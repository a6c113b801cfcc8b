import type { SlackViewMiddlewareArgs } from '@slack/bolt'
import { type DigestKey, readDigestKey } from '../views/digest-key.ts'

/** Which digest a submitted form is about, and by whom; null for a form that names none. */
export const readSubmittedDigest = ({
  body,
  view,
}: Pick<SlackViewMiddlewareArgs, 'body' | 'view'>):
  | (DigestKey & { readonly person: string; readonly team: string })
  | null => {
  const key = readDigestKey(view.private_metadata)
  return key && { ...key, person: body.user.id, team: body.team?.id ?? body.user.team_id ?? '' }
}
