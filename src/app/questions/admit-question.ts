import type { Asker, CheckAccess, NotAllowed } from '../../core/access.ts'

/** Whether a question may be stored, and which database it is asked of. */
export type Admission = { readonly status: 'admitted'; readonly database: string } | NotAllowed

/** Decides at the door, within the seconds that the platform waits. */
export type AdmitQuestion = (
  asker: Asker & {
    /** The one that the place has to ask, where it matters. */
    readonly database?: string
  },
) => Promise<Admission>

/**
 * Makes it. Where the platform did not tell who asks, but it is certain which database the place asks, the question is
 * stored all the same: nothing is answered before its job has found out, and that has more time.
 */
export const makeAdmitQuestion =
  (mayAsk: CheckAccess): AdmitQuestion =>
  async ({ person, place: { team, channel }, database }) => {
    const access = await mayAsk({
      ...{ person, place: { team, channel } },
      ...(database !== undefined && { database }),
    })
    switch (access.status) {
      case 'allowed':
        return { status: 'admitted', database: access.database }
      case 'refused':
        return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
      case 'unknown':
        return access.database === null || (database !== undefined && access.database !== database)
          ? { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
          : { status: 'admitted', database: access.database }
      default: {
        const never: never = access
        return never
      }
    }
  }
