// The order of Python's strings.

/**
 * Compares two strings by code points, for `sort`. JavaScript's own order is that of UTF-16 units, in which
 * an emoji, being a pair of surrogates (U+D83D …), comes before U+FF5E. A lone surrogate is a code point too.
 */
export function byCodePoints(left, right) {
  let at = 0;
  while (at < left.length && at < right.length) {
    const [ours, theirs] = [left.codePointAt(at), right.codePointAt(at)];
    if (ours !== theirs) return ours - theirs;
    at += ours > 0xffff ? 2 : 1;
  }
  return left.length - right.length;
}
