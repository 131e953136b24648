/** Drawn for these apps: 16 × 16, one stroke of 1.5, the colour of the text around them. */
import type { ReactNode, SVGProps } from "react";

/** An icon's properties: a label makes it an image, without one it is decoration. */
export type IconProps = Omit<SVGProps<SVGSVGElement>, "children"> & { label?: string; size?: number };

function drawn(children: ReactNode) {
  return function Icon({ label, size = 16, ...rest }: IconProps) {
    const spoken = label ? { role: "img", "aria-label": label } : { "aria-hidden": true as const };
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        focusable="false"
        {...spoken}
        {...rest}
      >
        {children}
      </svg>
    );
  };
}

export const IconMenu = /* @__PURE__ */ drawn(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />);
export const IconClose = /* @__PURE__ */ drawn(<path d="m4 4 8 8M12 4l-8 8" />);
export const IconSearch = /* @__PURE__ */ drawn(
  <>
    <circle cx="7" cy="7" r="4.25" />
    <path d="m10.25 10.25 3.25 3.25" />
  </>,
);
export const IconDown = /* @__PURE__ */ drawn(<path d="m4 6.25 4 4 4-4" />);
export const IconUp = /* @__PURE__ */ drawn(<path d="m4 9.75 4-4 4 4" />);
export const IconRight = /* @__PURE__ */ drawn(<path d="m6.25 4 4 4-4 4" />);
export const IconLeft = /* @__PURE__ */ drawn(<path d="m9.75 4-4 4 4 4" />);
export const IconCheck = /* @__PURE__ */ drawn(<path d="m3.25 8.5 3 3 6.5-7" />);
export const IconDash = /* @__PURE__ */ drawn(<path d="M4 8h8" />);
export const IconPlus = /* @__PURE__ */ drawn(<path d="M8 3.25v9.5M3.25 8h9.5" />);
export const IconMore = /* @__PURE__ */ drawn(
  <g fill="currentColor" stroke="none">
    <circle cx="3.5" cy="8" r="1.25" />
    <circle cx="8" cy="8" r="1.25" />
    <circle cx="12.5" cy="8" r="1.25" />
  </g>,
);
export const IconCopy = /* @__PURE__ */ drawn(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1" />
    <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
  </>,
);
export const IconCalendar = /* @__PURE__ */ drawn(
  <>
    <rect x="2.5" y="3.5" width="11" height="10" rx="1" />
    <path d="M2.5 6.75h11M5.5 2v2.5M10.5 2v2.5" />
  </>,
);
export const IconSun = /* @__PURE__ */ drawn(
  <>
    <circle cx="8" cy="8" r="2.75" />
    <path d="M8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" />
  </>,
);
export const IconMoon = /* @__PURE__ */ drawn(<path d="M13 9.75A5.5 5.5 0 0 1 6.25 3a5.5 5.5 0 1 0 6.75 6.75Z" />);
export const IconWarning = /* @__PURE__ */ drawn(
  <>
    <path d="M8 2.5 14 13H2L8 2.5Z" />
    <path d="M8 6.5v3M8 11.4v.1" />
  </>,
);
export const IconHome = /* @__PURE__ */ drawn(<path d="M2.5 7.5 8 3l5.5 4.5V13H10V9.5H6V13H2.5V7.5Z" />);
export const IconPlan = /* @__PURE__ */ drawn(
  <>
    <path d="M8 1.75 13 3.5v4c0 3.1-2 5.6-5 6.75-3-1.15-5-3.65-5-6.75v-4L8 1.75Z" />
    <path d="m5.75 8 1.6 1.6 3-3.3" />
  </>,
);
export const IconMail = /* @__PURE__ */ drawn(
  <>
    <path d="M2 3.75h12v8.5H2Z" />
    <path d="m2.5 4.5 5.5 4.25 5.5-4.25" />
  </>,
);
export const IconCard = /* @__PURE__ */ drawn(
  <>
    <rect x="1.75" y="3.5" width="12.5" height="9" rx="1" />
    <path d="M1.75 6.25h12.5M4.25 10h2.5" />
  </>,
);
export const IconPeople = /* @__PURE__ */ drawn(
  <>
    <circle cx="5.75" cy="5.25" r="2.25" />
    <path d="M1.75 13c.3-2.5 1.8-3.75 4-3.75s3.7 1.25 4 3.75M10.25 3.25a2.25 2.25 0 0 1 0 4.1M11.5 9.5c1.6.300 2.6 1.5 2.75 3.5" />
  </>,
);
export const IconPerson = /* @__PURE__ */ drawn(
  <>
    <circle cx="8" cy="5" r="2.5" />
    <path d="M3 13.5c.4-2.9 2.2-4.25 5-4.25s4.6 1.35 5 4.25" />
  </>,
);
export const IconLock = /* @__PURE__ */ drawn(
  <>
    <rect x="3" y="7" width="10" height="6.5" rx="1" />
    <path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2" />
  </>,
);
export const IconOut = /* @__PURE__ */ drawn(
  <path d="M6.25 13.25h-3.5V2.75h3.5M10.5 4.75 13.75 8l-3.25 3.25M13.5 8H6.25" />,
);
export const IconFilter = /* @__PURE__ */ drawn(<path d="M2.5 4.5h11M4.5 8h7M6.5 11.5h3" />);
export const IconColumns = /* @__PURE__ */ drawn(
  <>
    <rect x="2.5" y="3" width="11" height="10" rx="1" />
    <path d="M6.25 3v10M9.75 3v10" />
  </>,
);
export const IconExport = /* @__PURE__ */ drawn(<path d="M8 2.5v7.25M5 7l3 3 3-3M2.75 13.25h10.5" />);
export const IconRefresh = /* @__PURE__ */ drawn(<path d="M13 8a5 5 0 1 1-1.5-3.6M13 2.5v2.75h-2.75" />);
export const IconClock = /* @__PURE__ */ drawn(
  <>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 4.75V8l2.25 1.5" />
  </>,
);
export const IconPin = /* @__PURE__ */ drawn(
  <path d="m9.5 2.5 4 4-2.25.750-2.5 2.5-.25 2.5-5-5 2.5-.25 2.5-2.5.750-2ZM6 10l-3.25 3.25" />,
);
export const IconTrash = /* @__PURE__ */ drawn(
  <path d="M3 4.5h10M6.25 4.5V2.75h3.5V4.5M4.25 4.5l.5 8.75h6.5l.5-8.75" />,
);
export const IconEdit = /* @__PURE__ */ drawn(<path d="m10.5 3 2.5 2.5-7.5 7.5-3 .5.500-3L10.5 3Z" />);
export const IconExternal = /* @__PURE__ */ drawn(
  <path d="M9.5 2.75h3.75V6.5M13 3 7.5 8.5M11.25 9.25v4h-8.5v-8.5h4" />,
);
export const IconKeyboard = /* @__PURE__ */ drawn(
  <>
    <rect x="1.5" y="4" width="13" height="8" rx="1" />
    <path d="M4 6.5h.01M6.65 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.5h6" />
  </>,
);
export const IconGlobe = /* @__PURE__ */ drawn(
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M2.25 8h11.5M8 2.25c1.7 1.6 2.5 3.5 2.5 5.75S9.7 12.15 8 13.75C6.3 12.15 5.5 10.25 5.5 8S6.3 3.85 8 2.25Z" />
  </>,
);
export const IconReceipt = /* @__PURE__ */ drawn(
  <>
    <path d="M3.5 2.25v11.5l1.5-1 1.5 1 1.5-1 1.5 1 1.5-1 1.5 1V2.25l-1.5 1-1.5-1-1.5 1-1.5-1-1.5 1-1.5-1Z" />
    <path d="M6 6.25h4M6 9h4" />
  </>,
);
