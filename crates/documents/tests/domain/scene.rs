//! The domain alone, and short names for its calls.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use pavise_documents::Config;
use pavise_documents::contract::v1::answer_service_client::AnswerServiceClient;
use pavise_documents::contract::v1::file_service_client::FileServiceClient;
use pavise_documents::contract::v1::form_service_client::FormServiceClient;
use pavise_documents::contract::v1::form_template_service_client::FormTemplateServiceClient;
use pavise_documents::contract::v1::question_service_client::QuestionServiceClient;
use pavise_documents::contract::v1::*;
use pavise_documents::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_kernel::Result;
use pavise_kernel::common::v1::{ByteAnswer, ByteHead, Date, Locale, LocalizedText, PersonName};
use pavise_kernel::domain::Settings;
use pavise_kernel::files::Files;
use pavise_kernel::peers::Transport;
use pavise_testkit::scene::{Contract, Engine};
use tempfile::TempDir;

use crate::peers::Peers;

pub(crate) use pavise_testkit::scene::{into_answer, refusal_reason, request_by};

pub(crate) const ADA: &str = "User/ada";
pub(crate) const BEN: &str = "User/ben";
pub(crate) const STAFF: &str = "Internal/staff";
pub(crate) const PLATFORM: &str = "Machine/platform";
/// A caller without a token.
pub(crate) const VISITOR: &str = "";

pub(crate) struct Scene {
    scene: pavise_testkit::scene::Scene,
    pub(crate) peers: Arc<Peers>,
    /// The folder of the contents, unless another store has them.
    folder: TempDir,
}

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.scene
    }
}

/// The domain on an empty SQLite file.
pub(crate) async fn scene() -> Scene {
    on(Engine::Sqlite, config()).await
}

/// The same with other settings.
pub(crate) async fn configured(config: Config) -> Scene {
    on(Engine::Sqlite, config).await
}

/// The settings: the site is not this machine, and Chromium prints.
pub(crate) fn config() -> Config {
    Config {
        public_url: "https://pavise.example".into(),
        chromium: Some("chromium".into()),
        print_hosts: vec!["forms.example".into()],
        clamd: None,
    }
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    [on(Engine::Sqlite, config()).await, on(Engine::Postgres, config()).await]
}

/// The domain on an empty SQLite file, with the contents of its files in that store.
pub(crate) async fn with_files(files: Files) -> Scene {
    begin(Engine::Sqlite, config(), files, tempfile::tempdir().unwrap()).await
}

async fn on(engine: Engine, config: Config) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    begin(engine, config, pavise_files::open_folder(folder.path()).unwrap(), folder).await
}

async fn begin(engine: Engine, config: Config, files: Files, folder: TempDir) -> Scene {
    let contract = Contract {
        domain: "documents",
        descriptors: DESCRIPTORS,
        methods: METHODS,
        tables: TABLES,
        migrations: &MIGRATIONS,
    };
    let peers = Arc::new(Peers::default());
    let setup =
        contract.start_on(engine).await.peers(["identity", "members", "messaging"], &peers.double().transport());
    let settings = Settings::default().with(config).with(files);
    let scene = setup.begin_scene(|kernel| pavise_documents::DOMAIN.build(kernel, &settings).unwrap());
    Scene { scene, peers, folder }
}

pub(crate) fn texts(text: &str) -> Vec<LocalizedText> {
    [Locale::EnUs, Locale::EsUs].map(|locale| LocalizedText { locale: locale.into(), text: text.into() }).to_vec()
}

pub(crate) fn item(id: &str, kind: QuestionItemType) -> QuestionItem {
    QuestionItem { id: id.into(), r#type: kind.into(), labels: texts(id), ..QuestionItem::default() }
}

/// Content of one page.
pub(crate) fn content(items: Vec<QuestionItem>, conditions: Vec<QuestionCondition>) -> QuestionContent {
    let page = QuestionPage { id: "one".into(), titles: texts("One"), items, ..QuestionPage::default() };
    let locales = vec![Locale::EnUs.into(), Locale::EsUs.into()];
    QuestionContent { titles: texts("All"), locales, pages: vec![page], conditions }
}

/// A questionnaire that asks for a text "a", and for "b" once "a" is answered.
pub(crate) fn small(name: &str) -> CreateQuestionRequest {
    let shown = QuestionCondition {
        id: "has_a".into(),
        kind: QuestionConditionKind::Answered.into(),
        item_id: "a".into(),
        ..QuestionCondition::default()
    };
    let first = QuestionItem { required: true, ..item("a", QuestionItemType::Text) };
    let second = QuestionItem { visible_if: "has_a".into(), required: true, ..item("b", QuestionItemType::Text) };
    CreateQuestionRequest {
        name: name.into(),
        kind: QuestionKind::Survey.into(),
        content: Some(content(vec![first, second], vec![shown])),
        ..CreateQuestionRequest::default()
    }
}

/// The will of the demonstration.
pub(crate) fn will() -> CreateQuestionRequest {
    pavise_documents::demo::questionnaires::list_requests().unwrap().into_iter().next().unwrap()
}

pub(crate) fn value(item: &str) -> AnswerValue {
    AnswerValue { item_id: item.into(), ..AnswerValue::default() }
}

pub(crate) fn text(item: &str, text: &str) -> AnswerValue {
    AnswerValue { text: text.into(), ..value(item) }
}

pub(crate) fn number(item: &str, number: f64) -> AnswerValue {
    AnswerValue { number: Some(number), ..value(item) }
}

pub(crate) fn boolean(item: &str, boolean: bool) -> AnswerValue {
    AnswerValue { boolean: Some(boolean), ..value(item) }
}

pub(crate) fn choice(item: &str, choice: &str) -> AnswerValue {
    AnswerValue { choices: vec![choice.into()], ..value(item) }
}

pub(crate) fn day(item: &str, year: i32) -> AnswerValue {
    AnswerValue { date: Some(Date { year, month: 5, day: 17 }), ..value(item) }
}

pub(crate) fn person(item: &str, first: &str) -> AnswerValue {
    let person = PersonName { first_name: first.into(), last_name: "Lee".into(), ..PersonName::default() };
    AnswerValue { person: Some(person), ..value(item) }
}

/// The fields that a refusal names.
pub(crate) fn fields<T: std::fmt::Debug>(refused: Result<T>) -> Vec<String> {
    refused.unwrap_err().violations().iter().map(|violation| violation.field.clone()).collect()
}

impl Scene {
    /// A live questionnaire, made by staff.
    pub(crate) async fn question(&self, request: CreateQuestionRequest) -> Question {
        into_answer(self.questions().create_question(request_by(STAFF, request)).await).unwrap()
    }

    /// Puts other content, which goes live.
    pub(crate) async fn put_question(&self, question: &Question, content: QuestionContent) -> Result<Question> {
        let request = PutQuestionRequest {
            question_id: question.id.clone(),
            name: question.name.clone(),
            kind: question.kind,
            public: question.public,
            content: Some(content),
            ..PutQuestionRequest::default()
        };
        into_answer(self.questions().put_question(request_by(STAFF, request)).await)
    }

    /// An answer of Ada.
    pub(crate) async fn answer(&self, question: &Question, values: Vec<AnswerValue>) -> Result<Answer> {
        let request = CreateAnswerRequest {
            user_id: "ada".into(),
            question_id: question.id.clone(),
            values,
            ..CreateAnswerRequest::default()
        };
        into_answer(self.answers().create_answer(request_by(ADA, request)).await)
    }

    pub(crate) async fn put(&self, answer: &Answer, values: Vec<AnswerValue>) -> Result<Answer> {
        let (user_id, answer_id) = ("ada".into(), answer.id.clone());
        let request = PutAnswerRequest { user_id, answer_id, values, ..PutAnswerRequest::default() };
        into_answer(self.answers().put_answer(request_by(ADA, request)).await)
    }

    pub(crate) async fn submit(&self, answer: &Answer) -> Result<Answer> {
        let request = SubmitAnswerRequest { user_id: "ada".into(), answer_id: answer.id.clone() };
        into_answer(self.answers().submit_answer(request_by(ADA, request)).await)
    }

    pub(crate) async fn get(&self, who: &str, owner: &str, id: &str) -> Result<Answer> {
        let request = GetAnswerRequest { user_id: owner.into(), answer_id: id.into() };
        into_answer(self.answers().get_answer(request_by(who, request)).await)
    }

    /// The actions of a journal.
    pub(crate) async fn actions(&self, path: &'static str) -> Vec<String> {
        self.read_journal(path).await.into_iter().map(|entry| entry.action).collect()
    }

    pub(crate) fn questions(&self) -> QuestionServiceClient<Transport> {
        QuestionServiceClient::new(self.transport())
    }

    pub(crate) fn answers(&self) -> AnswerServiceClient<Transport> {
        AnswerServiceClient::new(self.transport())
    }

    pub(crate) fn files(&self) -> FileServiceClient<Transport> {
        FileServiceClient::new(self.transport())
    }

    pub(crate) fn forms(&self) -> FormServiceClient<Transport> {
        FormServiceClient::new(self.transport())
    }

    pub(crate) fn templates(&self) -> FormTemplateServiceClient<Transport> {
        FormTemplateServiceClient::new(self.transport())
    }

    /// Sends a file.
    pub(crate) async fn upload(&self, who: &str, facts: UploadContainerFileRequest, content: &[u8]) -> Result<File> {
        let chunks = content.chunks(50_000);
        let chunks = chunks.map(|chunk| UploadContainerFileRequest { chunk: chunk.to_vec(), ..Default::default() });
        let messages: Vec<_> = std::iter::once(facts).chain(chunks).collect();
        let request = request_by(who, ()).map(|()| futures::stream::iter(messages));
        into_answer(self.files().upload_container_file(request).await)
    }

    /// Gets the content of a file by its id.
    pub(crate) async fn download(&self, who: &str, file_id: &str) -> Result<(ByteHead, Vec<u8>)> {
        let request = GetContainerFileRequest { file_id: file_id.into(), ..Default::default() };
        read_bytes(into_answer(self.files().get_container_file(request_by(who, request)).await)?).await
    }

    /// The record of a file.
    pub(crate) async fn find_file(&self, who: &str, file_id: &str) -> Result<File> {
        into_answer(self.files().get_file(request_by(who, GetFileRequest { file_id: file_id.into() })).await)
    }

    /// The contents that lie in the store.
    pub(crate) fn contents(&self) -> Vec<PathBuf> {
        let folders = ["files", "quarantine"].map(|name| self.folder.path().join(name));
        let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
        files.map(|file| file.unwrap().path()).collect()
    }

    /// Makes all contents old.
    pub(crate) fn age_contents(&self) {
        for path in self.contents() {
            std::fs::File::open(path).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        }
    }
}

/// An answer of bytes as a whole.
pub(crate) async fn read_bytes(
    messages: impl futures::Stream<Item = Result<ByteAnswer, tonic::Status>>,
) -> Result<(ByteHead, Vec<u8>)> {
    let mut messages: Vec<ByteAnswer> = futures::TryStreamExt::try_collect(messages).await?;
    let head = messages.remove(0).head.unwrap();
    Ok((head, messages.into_iter().flat_map(|message| message.chunk).collect()))
}

/// The facts of a file that lies nowhere in particular.
pub(crate) fn facts(container: FileContainer, resource_id: &str, name: &str) -> UploadContainerFileRequest {
    UploadContainerFileRequest {
        container: container.into(),
        resource_id: resource_id.into(),
        name: name.into(),
        ..UploadContainerFileRequest::default()
    }
}

/// The text of a PDF, which is a sound one.
pub(crate) fn text_of(pdf: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdf");
    std::fs::write(&path, pdf).unwrap();
    let checked = std::process::Command::new("qpdf").arg("--check").arg(&path).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    let read = std::process::Command::new("pdftotext")
        .args(["-layout", "-enc", "UTF-8"])
        .arg(&path)
        .arg("-")
        .output()
        .unwrap();
    String::from_utf8(read.stdout).unwrap()
}
