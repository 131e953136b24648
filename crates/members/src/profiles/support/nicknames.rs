//! The names that people of a first name go by, in the United States and Canada.

/// Each line has names that are used for one another. A name can be on several lines.
const GROUPS: &[&str] = &[
    "abigail abby gail",
    "albert al bert bertie",
    "alexander alex alec sandy xander",
    "alexandra alex sandra sandy lexi",
    "alfred al fred freddie",
    "amanda mandy",
    "andrew andy drew",
    "anne ann anna annie nan nancy",
    "anthony tony",
    "arthur art artie",
    "barbara barb babs",
    "benjamin ben benny benji",
    "bradley brad",
    "catherine katherine kathryn catharine cathy kathy kate katie kat kitty cate",
    "charles charlie chuck chas carlos",
    "charlotte lottie charlie",
    "christina christine chris chrissy tina kris",
    "christopher chris kit topher",
    "clifford cliff",
    "cynthia cindy",
    "daniel dan danny",
    "david dave davey",
    "deborah debra deb debbie",
    "dennis denny",
    "donald don donnie",
    "dorothy dot dottie dolly",
    "douglas doug",
    "edward ed eddie ned ted teddy eduardo",
    "eleanor elinor ellie nell nora",
    "elizabeth elisabeth liz lizzie beth betty betsy eliza elsie lisa libby bess",
    "emily em emmy",
    "eugene gene",
    "florence flo",
    "frances fran frankie francine",
    "francis frank frankie francisco",
    "franklin frank",
    "frederick fred freddie rick",
    "gabriel gabe",
    "gabrielle gabby",
    "gerald gerry jerry",
    "gregory greg",
    "guillermo memo bill william",
    "harold hal harry",
    "helen nell ellen",
    "henry hank harry hal",
    "irene rene",
    "isabella isabel bella izzy belle",
    "jacob jake jack",
    "jacqueline jackie",
    "james jim jimmy jamie jaime",
    "janet jan",
    "jeffrey geoffrey jeff geoff",
    "jennifer jen jenny jenna",
    "jessica jess jessie",
    "john jack johnny jon juan ian",
    "jonathan jon johnny nathan",
    "joseph joe joey jose pepe",
    "josephine jo josie",
    "joshua josh",
    "judith judy",
    "julia julie",
    "kenneth ken kenny",
    "kimberly kim",
    "lawrence laurence larry",
    "leonard leo len lenny",
    "leslie les",
    "louis lewis lou louie luis",
    "lucille lucy lu",
    "margaret maggie meg peggy peg marge margie rita greta",
    "martha marty patty",
    "martin marty",
    "mary marie maria molly polly mamie",
    "matthew matt",
    "maureen mo",
    "maxwell maximilian max",
    "melissa missy mel",
    "michael mike mick mickey mikey miguel",
    "michelle shelly",
    "mildred millie",
    "miriam mimi",
    "nathaniel nathan nate nat",
    "nicholas nick nicky nico",
    "nicole nicki",
    "pamela pam",
    "patricia pat patty tricia trish",
    "patrick pat paddy",
    "peter pete pedro",
    "philip phillip phil",
    "raymond ray",
    "rebecca becky becca",
    "richard rick dick rich richie ricky ricardo",
    "robert bob bobby rob robbie bert roberto",
    "roberta bobbie robbie",
    "ronald ron ronnie",
    "rosemary rose rosie",
    "russell russ rusty",
    "samantha sam sammy",
    "samuel sam sammy",
    "sandra sandy",
    "sarah sara sally sadie",
    "stephanie steph stevie",
    "steven stephen steve stevie esteban",
    "stuart stewart stu",
    "susan suzanne susanna sue susie suzy",
    "sylvia syl",
    "teresa theresa terry tess tessa",
    "terrence terence terry",
    "theodore ted teddy theo",
    "thomas tom tommy tomas",
    "timothy tim timmy",
    "valerie val",
    "vanessa nessa",
    "victor vic",
    "victoria vicky tori",
    "vincent vince vinnie",
    "virginia ginny ginger",
    "walter walt wally",
    "william bill billy will willie liam",
    "zachary zach zack",
];

/// The other names that people of a first name go by. The name is in lower case and without accents.
pub(crate) fn find_nicknames(name: &str) -> Vec<&'static str> {
    let groups = GROUPS.iter().filter(|group| group.split(' ').any(|one| one == name));
    groups.flat_map(|group| group.split(' ')).filter(|other| *other != name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_several_groups_has_the_names_of_all() {
        let chris = find_nicknames("chris");
        assert!(["christopher", "christina"].iter().all(|name| chris.contains(name)), "{chris:?}");
        assert!(find_nicknames("bob").contains(&"robert") && find_nicknames("robert").contains(&"bob"));
        assert!(find_nicknames("xenia").is_empty());
    }

    #[test]
    fn the_groups_are_in_the_form_in_which_names_are_compared() {
        for group in GROUPS {
            assert!(group.chars().all(|letter| letter.is_ascii_lowercase() || letter == ' '), "{group}");
            assert!(group.split(' ').count() > 1, "{group}");
        }
    }
}
