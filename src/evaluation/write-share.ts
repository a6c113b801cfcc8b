/** A share from 0 to 1 as per cent with one digit, for a person. */
export const formatShare = (share: number | null): string =>
  share === null ? '-' : `${(share * 100).toFixed(1)} %`
