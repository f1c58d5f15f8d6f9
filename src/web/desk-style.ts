/** Styles of the operators' desk and of reports; uses the colours of `style.ts`. */
export const DESK_STYLE = `
.reported { border-left: 3px solid var(--line); padding-left: .75rem; }
.bar button { flex: none; }
`;
