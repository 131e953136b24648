import { create } from "@bufbuild/protobuf";
import {
  ProvisionFailureSchema,
  ProvisionSchema,
  ProvisionStatus,
} from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import { expect, test } from "vitest";
import { BLOCKED, needOf, placeOf, WAY } from "./provisions.ts";

test("how far a provisioning came is where it stands, or where it failed", () => {
  expect(placeOf(create(ProvisionSchema, { status: ProvisionStatus.IDENTITIES_ADDED }))).toBe(
    WAY.indexOf(ProvisionStatus.IDENTITIES_ADDED),
  );
  const failure = create(ProvisionFailureSchema, { status: ProvisionStatus.CLASSIC_MAPS_ADDED });
  expect(placeOf(create(ProvisionSchema, { status: ProvisionStatus.FAILED, failure }))).toBe(
    WAY.indexOf(ProvisionStatus.CLASSIC_MAPS_ADDED),
  );
  expect(placeOf(create(ProvisionSchema, { status: ProvisionStatus.PENDING_PROFILE_REVIEW }))).toBe(
    WAY.indexOf(ProvisionStatus.STARTED),
  );
  expect(BLOCKED.map((status) => needOf({ status }))).not.toContain("runs");
});
