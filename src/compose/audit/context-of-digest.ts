import type { Digest } from '../../core/digest.ts'
import type { RunContext } from '../../core/run-context.ts'

/** The context of a run of a digest: that of where it goes, on the account of who pays. */
export const digestRunContext = (
  { id, team, target }: Pick<Digest, 'id' | 'team' | 'target'>,
  paidBy: string,
): RunContext => ({
  origin: 'digest',
  person: paidBy,
  team,
  channel: target.kind === 'channel' ? target.channel : null,
  questionId: null,
  digestId: id,
})
